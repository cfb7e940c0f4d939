import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { AccountsService } from '../identity/accounts.service';
import { AuthService } from '../identity/auth.service';

export const PASSWORD = 'callboard-demo';

const PEOPLE = [
  { account: 'admin', name: '管理员', role: 'admin' },
  { account: 'alice', name: '爱丽丝', role: 'user' },
  { account: 'bob', name: '鲍勃', role: 'user' },
  { account: 'door', name: '东门门口机', role: 'user' },
] as const;

/** Somebody to try the service with. */
export interface DemoPerson {
  id: number;
  account: string;
  name: string;
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

  async create(): Promise<DemoPerson[]> {
    const people: DemoPerson[] = [];
    for (const person of PEOPLE) people.push(await this.#introduce(person));
    return people;
  }

  async #introduce({ account, name, role }: (typeof PEOPLE)[number]): Promise<DemoPerson> {
    const { id } = await this.accounts.create({ account, name, role, password: PASSWORD });
    if (this.config.auth.secret === undefined) return { id, account, name };
    const { access_token } = await this.auth.login({ account, password: PASSWORD }, { address: '127.0.0.1' });
    return { id, account, name, token: access_token };
  }
}
