import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { SqlPart } from '../../database/dialect';

/** Whether a user is there, and when it was last; null while there, and of whom nobody knows. */
export interface Seen {
  online: boolean;
  lastSeenAt: Date | null;
}

/** What the module that knows who is there tells the administration, which sees those who hide, too (contract 14.3). */
export interface PresenceSource {
  /** How these users are now; those who have never been there may be missing. */
  of(userIds: readonly number[]): Promise<Map<number, Seen>>;
  /** How lists find it out by SQL; undefined where it is not kept. */
  inSql(em: EntityManager): PresenceInSql | undefined;
}

/** Parts of statements. */
export interface PresenceInSql {
  /** A SELECT of the ids of those who are there. */
  online: SqlPart;
  /** The table that has `last_seen_at` by `user_id`, with an index; null where there has been none. */
  seenIn: string;
}

/** Who is there, for the administration of users: a module above this one knows, and registers when it starts. */
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
