import { Inject, Injectable } from '@nestjs/common';
import type { UserId } from '../common/ids';
import { CONFIG, type Config } from '../config/config';
import { AccountsService } from '../identity/accounts.service';
import { AuthService } from '../identity/auth.service';
import type { DemoCast } from './demo-scene';

export const PASSWORD = 'callboard-demo';

const PEOPLE = [
  { account: 'admin', name: '管理员', role: 'admin' },
  { account: 'alice', name: '爱丽丝', role: 'user' },
  { account: 'bob', name: '鲍勃', role: 'user' },
  { account: 'door', name: '东门门口机', role: 'user' },
] as const;

/** The accounts of the demo data. */
export const ACCOUNTS: readonly string[] = PEOPLE.map(({ account }) => account);

/** Somebody to try the service with. */
export interface DemoPerson {
  id: number;
  account: string;
  /** An access token; absent when the service has no secret to sign with. */
  token?: string;
}

/** Creates people who can log in, and logs them in. */
@Injectable()
export class DemoPeople {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly accounts: AccountsService,
    private readonly auth: AuthService,
  ) {}

  /** Creates them; answers their ids. */
  async create(): Promise<DemoCast> {
    const ids: [string, UserId][] = [];
    for (const person of PEOPLE) {
      const { id } = await this.accounts.create({ ...person, password: PASSWORD });
      ids.push([person.account, id as UserId]);
    }
    return Object.fromEntries(ids) as unknown as DemoCast;
  }

  /** Logs those in whom `create` has made. */
  async logIn(cast: DemoCast): Promise<DemoPerson[]> {
    const people: DemoPerson[] = [];
    for (const { account } of PEOPLE)
      people.push({ id: cast[account], account, token: await this.#tokenOf(account) });
    return people;
  }

  async #tokenOf(account: string): Promise<string | undefined> {
    if (this.config.auth.secret === undefined) return undefined;
    const { access_token } = await this.auth.login({ account, password: PASSWORD }, { address: '127.0.0.1' });
    return access_token;
  }
}
