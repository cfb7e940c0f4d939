import { Inject, Injectable } from '@nestjs/common';
import type { Asker } from '../../common/auth/principal';
import { BusinessError } from '../../common/errors/business-error';
import { CONFIG, type Config } from '../../config/config';
import type { PeopleConfig } from '../../config/people-config';
import { SearchCounters } from '../../rate-limit/rate-counters';
import { Acquaintances } from '../acquaintances';

const WINDOW_SECONDS = 60;
/** Searches and look-ups of strangers in that time. */
const MAX_LOOK_UPS = 30;

/** Which users a user may see (contract 16.1). */
@Injectable()
export class VisibleUsers {
  readonly #mode: PeopleConfig['directory'];

  constructor(
    @Inject(CONFIG) { people }: Config,
    private readonly acquaintances: Acquaintances,
    private readonly counters: SearchCounters,
  ) {
    this.#mode = people.directory;
  }

  /** The mode of the directory for a user: for administrators, and for keys that act as a user, it is open. */
  modeFor({ role, byKey }: Asker): PeopleConfig['directory'] {
    return role === 'admin' || byKey ? 'open' : this.#mode;
  }

  /**
   * Whether a user may learn that a user with this id exists: with the directory `off` of acquaintances only. A look-up of
   * any other id counts as a search, unless the directory is open.
   * @throws {BusinessError} TOO_MANY_REQUESTS: more than 30 a minute
   */
  async lookUp(asker: Asker, id: number): Promise<boolean> {
    const mode = this.modeFor(asker);
    if (mode === 'open' || id === asker.id) return true;
    if ((await this.acquaintances.among(asker.id, [id])).has(id)) return true;
    await this.count(asker);
    return mode === 'exact';
  }

  /** Those of some ids that a user may name: all, but with the directory `off` the user and acquaintances only. */
  async among(asker: Asker, ids: readonly number[]): Promise<Set<number>> {
    if (this.modeFor(asker) !== 'off') return new Set(ids);
    return (await this.acquaintances.among(asker.id, ids)).add(asker.id);
  }

  /** Counts a search. @throws {BusinessError} TOO_MANY_REQUESTS: more than 30 a minute */
  async count({ id }: Asker): Promise<void> {
    const { count, secondsLeft } = await this.counters.hit(`search:user:${id}`, WINDOW_SECONDS);
    if (count > MAX_LOOK_UPS)
      throw new BusinessError('TOO_MANY_REQUESTS', { retryAfterSeconds: secondsLeft });
  }
}
