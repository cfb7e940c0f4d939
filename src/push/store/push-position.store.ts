import type { EntityManager } from 'typeorm';
import { insertIgnore, toSqlTimestamp } from '../../database/sql/dialect';

/*
 * The position of push in the log of domain events, which exists only while push is configured. Its name, `push`, is
 * that of the consumer (`PushRouting.name`).
 */

/** Inserts the position at the newest domain event, unless it exists. */
export async function ensurePosition(em: EntityManager): Promise<void> {
  await em.query(
    `${insertIgnore(em)} INTO domain_event_positions (name, position)
     SELECT 'push', h.position FROM domain_event_positions h WHERE h.name = 'head'`,
  );
}

/** Removes the position. @param behindSince only if it is before a domain event that is older than this */
export async function removePosition(
  em: EntityManager,
  { behindSince }: { behindSince?: Date } = {},
): Promise<void> {
  const isBehind = `EXISTS (SELECT 1 FROM domain_events e
    WHERE e.position > domain_event_positions.position AND e.created_at < ?)`;
  await em.query(
    `DELETE FROM domain_event_positions WHERE name = 'push'${behindSince === undefined ? '' : ` AND ${isBehind}`}`,
    behindSince === undefined ? [] : [toSqlTimestamp(em, behindSince)],
  );
}

/** Returns whether the position exists, and whether any terminal is registered. */
export async function subscription(
  em: EntityManager,
): Promise<{ hasPosition: boolean; hasTargets: boolean }> {
  const [row] = await em.query<{ position: string | null; target: number | null }[]>(
    `SELECT (SELECT name FROM domain_event_positions WHERE name = 'push') AS position,
       (SELECT id FROM push_targets LIMIT 1) AS target`,
  );
  return { hasPosition: row?.position != null, hasTargets: row?.target != null };
}
