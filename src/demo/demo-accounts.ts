import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { CONFIG, type Config } from '../config/config';
import { CredentialsService } from '../identity/credentials.service';
import { ACCOUNTS, PASSWORD } from './demo-people';

/** Looking again costs four checks of a password, and anybody may ask. */
const REMEMBERED_MS = 10_000;

/** By which anybody may log in to look around. */
export interface DemoLogins {
  accounts: string[];
  password: string;
}

/** The accounts of the demo data that are there and still have its password; at most ten seconds old. */
@Injectable()
export class DemoAccounts {
  readonly #isOn: boolean;
  #known?: { accounts: Promise<string[]>; until: number };

  constructor(
    @Inject(CONFIG) { demoData, auth }: Config,
    private readonly credentials: CredentialsService,
    private readonly clock: Clock,
  ) {
    // Without a secret of its own the service has no log-in.
    this.#isOn = demoData && auth.secret !== undefined;
  }

  /** null where there is none: always in production, which refuses demo data. */
  async current(): Promise<DemoLogins | null> {
    const accounts = this.#isOn ? await this.#accounts() : [];
    return accounts.length > 0 ? { accounts, password: PASSWORD } : null;
  }

  #accounts(): Promise<string[]> {
    const now = this.clock.now().getTime();
    if (this.#known !== undefined && now < this.#known.until) return this.#known.accounts;
    const accounts = this.credentials.accountsWith(PASSWORD, ACCOUNTS);
    const known = { accounts, until: now + REMEMBERED_MS };
    this.#known = known;
    // What could not be found out is asked for again.
    accounts.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return accounts;
  }
}
