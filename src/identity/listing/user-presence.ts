import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { SqlPart } from '../../database/sql/dialect';

/** A user's presence. `lastSeenAt` is null while the user is online, and if it is unknown. */
export interface Seen {
  online: boolean;
  lastSeenAt: Date | null;
}

/**
 * Presence data that the module `people` provides to the user administration, which also sees users who hide their
 * presence (API 3.2).
 */
export interface PresenceSource {
  /** Returns the current presence of these users. Users who were never online may be missing. */
  of(userIds: readonly number[]): Promise<Map<number, Seen>>;
  /** Returns SQL fragments for lists; undefined if presence is switched off. */
  inSql(em: EntityManager): PresenceInSql | undefined;
}

/** SQL fragments for filtering and sorting by presence. */
export interface PresenceInSql {
  /** A SELECT of the ids of the users who are online. */
  online: SqlPart;
  /** Table with an indexed `last_seen_at` per `user_id`; null for a user who was never seen. */
  seenIn: string;
}

/**
 * Presence for the user administration. The module `people`, which depends on this one, registers the source at
 * startup.
 */
@Injectable()
export class UserPresence {
  #source?: PresenceSource;

  register(source: PresenceSource): void {
    this.#source = source;
  }

  of(userIds: readonly number[]): Promise<Map<number, Seen>> {
    return this.#source?.of(userIds) ?? Promise.resolve(new Map());
  }

  inSql(em: EntityManager): PresenceInSql | undefined {
    return this.#source?.inSql(em);
  }
}
