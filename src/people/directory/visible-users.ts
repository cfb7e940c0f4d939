import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../common/auth/principal';
import { CONFIG, type Config } from '../../config/config';
import type { PeopleConfig } from '../../config/people-config';
import { Acquaintances } from '../acquaintances';

/** How far the directory is open to whom (contract 16.1). */
@Injectable()
export class VisibleUsers {
  readonly #mode: PeopleConfig['directory'];

  constructor(
    @Inject(CONFIG) { people }: Config,
    private readonly acquaintances: Acquaintances,
  ) {
    this.#mode = people.directory;
  }

  /** What counts for somebody: for administrators it is always open. */
  modeFor({ role }: Principal): PeopleConfig['directory'] {
    return role === 'admin' ? 'open' : this.#mode;
  }

  /** Whether somebody may learn that there is a user with this id: strangers do not where nobody finds anybody. */
  async sees(principal: Principal, id: number): Promise<boolean> {
    if (this.modeFor(principal) !== 'off' || id === principal.id) return true;
    return this.acquaintances.know(principal.id, id);
  }
}
