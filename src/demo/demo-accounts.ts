import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { CONFIG, type Config } from '../config/config';
import { CredentialsService } from '../identity/credentials.service';
import { DEMO_VISITORS, type DemoVisitor, PASSWORD } from './demo-people';

/** The result is cached because a check hashes the password for each account, and any client may request it. */
const CACHED_MS = 10_000;

const ACCOUNTS = DEMO_VISITORS.map(({ account }) => account);

/** Accounts and password for visitors of the demo. */
export interface DemoLogins {
  accounts: string[];
  /** The accounts with names and languages, in the same order. */
  people: DemoVisitor[];
  password: string;
}

/** Finds the demo accounts that exist and still have the demo password. The result is at most 10 s old. */
@Injectable()
export class DemoAccounts {
  readonly #isOn: boolean;
  #cached?: { accounts: Promise<string[]>; until: number };

  constructor(
    @Inject(CONFIG) { demoData, auth }: Config,
    private readonly credentials: CredentialsService,
    private readonly clock: Clock,
  ) {
    // Without JWT_SECRET the service has no log-in.
    this.#isOn = demoData && auth.secret !== undefined;
  }

  /** Returns null if there are none: always in production, where demo data are not allowed. */
  async current(): Promise<DemoLogins | null> {
    const accounts = this.#isOn ? await this.#accounts() : [];
    const people = DEMO_VISITORS.filter(({ account }) => accounts.includes(account));
    return accounts.length > 0 ? { accounts, people, password: PASSWORD } : null;
  }

  #accounts(): Promise<string[]> {
    const now = this.clock.now().getTime();
    if (this.#cached !== undefined && now < this.#cached.until) return this.#cached.accounts;
    const accounts = this.credentials.accountsWith(PASSWORD, ACCOUNTS);
    const cached = { accounts, until: now + CACHED_MS };
    this.#cached = cached;
    // A failed check is not cached: the next request repeats it.
    accounts.catch(() => {
      if (this.#cached === cached) this.#cached = undefined;
    });
    return accounts;
  }
}
