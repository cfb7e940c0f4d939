import { Inject, Injectable } from '@nestjs/common';
import type { Asker } from '../../common/auth/principal';
import { BusinessError } from '../../common/errors/business-error';
import { CONFIG, type Config } from '../../config/config';
import type { PeopleConfig } from '../../config/people-config';
import { SearchCounters } from '../../rate-limit/rate-counters';
import { ContactGraph } from '../contact-graph';

const WINDOW_SECONDS = 60;
/** Maximum number of searches and of look-ups of users who are no contacts, per window. */
const MAX_LOOK_UPS = 30;

/** Decides which users are visible to a user (API 9.1). */
@Injectable()
export class VisibleUsers {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly contacts: ContactGraph,
    private readonly counters: SearchCounters,
  ) {}

  /** Returns the directory mode for a user: `open` for administrators and for API keys that act on behalf of a user. */
  modeFor({ role, byKey }: Asker): PeopleConfig['directory'] {
    return role === 'admin' || byKey ? 'open' : this.config.people.directory;
  }

  /**
   * Returns whether the existence of a user may be revealed to the asking user: with the directory `off` only contacts.
   * Unless the directory is open, a look-up of an id other than a contact's counts as a search.
   * @throws {BusinessError} TOO_MANY_REQUESTS: more than 30 per minute
   */
  async lookUp(asker: Asker, id: number): Promise<boolean> {
    const mode = this.modeFor(asker);
    if (mode === 'open' || id === asker.id) return true;
    if ((await this.contacts.among(asker.id, [id])).has(id)) return true;
    await this.count(asker);
    return mode === 'exact';
  }

  /**
   * Returns those of `ids` that the user may address: all, or with the directory `off` the user and the user's
   * contacts.
   */
  async among(asker: Asker, ids: readonly number[]): Promise<Set<number>> {
    if (this.modeFor(asker) !== 'off') return new Set(ids);
    return (await this.contacts.among(asker.id, ids)).add(asker.id);
  }

  /**
   * Counts a search.
   * @throws {BusinessError} TOO_MANY_REQUESTS: more than 30 per minute
   */
  async count({ id }: Asker): Promise<void> {
    const { count, secondsLeft } = await this.counters.hit(`search:user:${id}`, WINDOW_SECONDS);
    if (count > MAX_LOOK_UPS)
      throw new BusinessError('TOO_MANY_REQUESTS', { retryAfterSeconds: secondsLeft });
  }
}
