import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { CONFIG, type Config } from '../config/config';
import { CredentialsService } from '../identity/credentials.service';
import { DEMO_VISITORS, type DemoVisitor, PASSWORD } from './demo-people';

/** Asking again costs a check of a password for each account, and any client may ask. */
const CACHED_MS = 10_000;

const ACCOUNTS = DEMO_VISITORS.map(({ account }) => account);

/** Accounts and password with which a visitor may log in to look around. */
export interface DemoLogins {
  accounts: string[];
  /** The same with their names and languages. */
  people: DemoVisitor[];
  password: string;
}

/** The accounts of the demo data that exist and still have its password; at most ten seconds old. */
@Injectable()
export class DemoAccounts {
  readonly #isOn: boolean;
  #cached?: { accounts: Promise<string[]>; until: number };

  constructor(
    @Inject(CONFIG) { demoData, auth }: Config,
    private readonly credentials: CredentialsService,
    private readonly clock: Clock,
  ) {
    // Without a secret of its own the service has no log-in.
    this.#isOn = demoData && auth.secret !== undefined;
  }

  /** Returns null where there are none: always in production, which refuses demo data. */
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
    // A failed check is repeated by the next request.
    accounts.catch(() => {
      if (this.#cached === cached) this.#cached = undefined;
    });
    return accounts;
  }
}
