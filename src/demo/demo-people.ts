import { Inject, Injectable } from '@nestjs/common';
import type { UserId } from '../common/ids';
import { CONFIG, type Config } from '../config/config';
import { AccountsService } from '../identity/accounts.service';
import { AuthService } from '../identity/auth.service';

export const PASSWORD = 'callboard-demo';

/** A user of the demo data who can log in. */
export interface DemoVisitor {
  account: string;
  name: string;
  /** Language of the user's conversations; null: several languages. */
  language: 'zh-CN' | 'en' | null;
}

/** The demo users who can log in, in the order of their ids. */
export const DEMO_VISITORS = [
  { account: 'admin', name: '管理员', language: null },
  { account: 'alice', name: '爱丽丝', language: 'zh-CN' },
  { account: 'bob', name: '鲍勃', language: 'zh-CN' },
  { account: 'door', name: '东门门口机', language: 'zh-CN' },
  { account: 'emma', name: 'Emma Clarke', language: 'en' },
  { account: 'liam', name: 'Liam Reed', language: 'en' },
] as const satisfies readonly DemoVisitor[];

/** Users without a password, whose names fill the lists. */
const NEIGHBOURS = [
  { account: 'chen', name: '陈静' },
  { account: 'lin', name: '林涛' },
  { account: 'zhou', name: '周敏' },
  { account: 'sofia', name: 'Sofia Rossi' },
  { account: 'noah', name: 'Noah Kim' },
] as const;

/** Account of a demo user. */
export type DemoPersonName = (typeof DEMO_VISITORS | typeof NEIGHBOURS)[number]['account'];

/** Ids of the demo users by account. */
export type DemoUsers = Record<DemoPersonName, UserId>;

/** A demo user who can log in. */
export interface DemoPerson {
  id: number;
  account: string;
  /** An access token; undefined if the service has no secret to sign it with. */
  token?: string;
}

/** Creates the demo users and logs in those with a password. */
@Injectable()
export class DemoPeople {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly accounts: AccountsService,
    private readonly auth: AuthService,
  ) {}

  /** Creates the demo users and returns their ids. */
  async create(): Promise<DemoUsers> {
    const ids: [string, UserId][] = [];
    for (const { account, name } of DEMO_VISITORS) {
      const role = account === 'admin' ? 'admin' : 'user';
      ids.push([account, await this.#create({ account, name, role, password: PASSWORD })]);
    }
    for (const person of NEIGHBOURS)
      ids.push([person.account, await this.#create({ ...person, role: 'user' })]);
    return Object.fromEntries(ids) as DemoUsers;
  }

  /** Logs in the users with a password. */
  async logIn(users: DemoUsers): Promise<DemoPerson[]> {
    const people: DemoPerson[] = [];
    for (const { account } of DEMO_VISITORS)
      people.push({ id: users[account], account, token: await this.#tokenOf(account) });
    return people;
  }

  async #create(person: Parameters<AccountsService['create']>[0]): Promise<UserId> {
    return (await this.accounts.create(person)).id as UserId;
  }

  async #tokenOf(account: string): Promise<string | undefined> {
    if (this.config.auth.secret === undefined) return undefined;
    const body = { account, password: PASSWORD };
    const { access_token } = await this.auth.issueByPassword(body, { address: '127.0.0.1' });
    return access_token;
  }
}
