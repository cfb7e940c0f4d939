import type { EntityManager } from 'typeorm';
import { behindAll } from '../../common/name-parts';
import type { PersonResponse } from '../dto/person.dto';

/*
 * Queries of the user search. They read the tables of the module `identity` directly (`u` is a row of `users`), which
 * saves a query.
 */

/** Enabled, and not the searching user: one parameter. */
const ACTIVE_OTHER = 'u.status = 1 AND u.id <> ?';

/**
 * Additionally has not blocked the searching user: two parameters. To the searching user, a user with a block cannot be
 * distinguished from one who is not discoverable.
 */
const FINDABLE = `${ACTIVE_OTHER}
  AND NOT EXISTS (SELECT 1 FROM user_blocks b WHERE b.user_id = u.id AND b.blocked_id = ?)`;

const by = (column: string): string =>
  `SELECT u.id, u.name, u.avatar FROM users u WHERE u.${column} = ? AND ${ACTIVE_OTHER}`;

/**
 * Returns the users with this folded account or this id, sorted by id. Blocks are not considered: profiles are visible
 * across a block, so a user with a visible profile who was missing here would be known to have blocked the searching
 * user (API 9.1).
 */
export function foundExactly(
  em: EntityManager,
  askerId: number,
  { accountKey, id }: { accountKey: string; id: number | undefined },
): Promise<PersonResponse[]> {
  const ways = id === undefined ? [by('account_key')] : [by('account_key'), by('id')];
  const values = id === undefined ? [accountKey] : [accountKey, id];
  return em.query<PersonResponse[]>(
    `${ways.join(' UNION ')} ORDER BY id`,
    values.flatMap((value) => [value, askerId]),
  );
}

/** Maximum number of name parts read per search: users who may not be found must not make a search slow. */
const MAX_PARTS = 2_000;
const PARTS_BATCH_SIZE = 500;

/** A user's profile as seen by another user. */
type ProfileRow = PersonResponse & { status: number; is_blocked: number };
type PartRow = PersonResponse & { findable: number };

/** Returns the first users whose name has a word with this folded prefix, sorted by name part, then by id. */
export async function foundByName(
  em: EntityManager,
  askerId: number,
  prefix: string,
  { limit, hiddenToo }: { limit: number; hiddenToo: boolean },
): Promise<PersonResponse[]> {
  const found = new Map<number, PersonResponse>();
  // Most users that are read match, so the first query reads little more than the limit.
  let batchSize = 2 * limit;
  for (let offset = 0; offset < MAX_PARTS && found.size < limit;) {
    const rows = await readParts(em, askerId, { prefix, hiddenToo, offset, limit: batchSize });
    for (const { findable, ...user } of rows) if (findable && !found.has(user.id)) found.set(user.id, user);
    if (rows.length < batchSize) break;
    offset += batchSize;
    batchSize = Math.min(PARTS_BATCH_SIZE, MAX_PARTS - offset);
  }
  return [...found.values()].slice(0, limit);
}

/** Reads name parts with a prefix, with a flag whether their users may be found. */
function readParts(
  em: EntityManager,
  askerId: number,
  { prefix, hiddenToo, offset, limit }: { prefix: string; hiddenToo: boolean; offset: number; limit: number },
): Promise<PartRow[]> {
  const end = behindAll(prefix);
  const before = end === undefined ? '' : 'AND part < ?';
  const bounds = end === undefined ? [prefix] : [prefix, end];
  const findable = hiddenToo ? FINDABLE : `u.discoverable = 1 AND ${FINDABLE}`;
  return em.query<PartRow[]>(
    `SELECT u.id, u.name, u.avatar, CASE WHEN ${findable} THEN 1 ELSE 0 END AS findable
     FROM (SELECT part, user_id FROM user_name_parts WHERE part >= ? ${before}
       ORDER BY part, user_id LIMIT ? OFFSET ?) p
     JOIN users u ON u.id = p.user_id ORDER BY p.part, p.user_id`,
    [askerId, askerId, ...bounds, limit, offset],
  );
}

/** Returns a user and whether the asking user has blocked it; undefined if there is none. */
export async function profileOf(
  em: EntityManager,
  askerId: number,
  id: number,
): Promise<ProfileRow | undefined> {
  const [row] = await em.query<ProfileRow[]>(
    `SELECT u.id, u.name, u.avatar, u.status,
       EXISTS (SELECT 1 FROM user_blocks b WHERE b.user_id = ? AND b.blocked_id = u.id) AS is_blocked
     FROM users u WHERE u.id = ?`,
    [askerId, id],
  );
  return row;
}
