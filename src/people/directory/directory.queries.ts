import type { EntityManager } from 'typeorm';
import { behindAll } from '../../common/name-parts';

/*
 * Finding people. `u` is the row of the module identity's table of users, which is read here for a query less; the parts
 * of names are its too.
 */

/** A user who was found. */
export interface Found {
  id: number;
  name: string;
  avatar: string | null;
}

/** Enabled, and not the user who asks: one parameter. */
const ACTIVE_OTHER = 'u.status = 1 AND u.id <> ?';

/** And not a user who has blocked the one who asks: two parameters. A user who is not discoverable looks the same. */
const FINDABLE = `${ACTIVE_OTHER}
  AND NOT EXISTS (SELECT 1 FROM user_blocks b WHERE b.user_id = u.id AND b.blocked_id = ?)`;

const by = (column: string): string =>
  `SELECT u.id, u.name, u.avatar FROM users u WHERE u.${column} = ? AND ${ACTIVE_OTHER}`;

/**
 * Those with this folded account, or this id; by id. Blocks do not count: profiles are shown across a block, so a user
 * whom this did not find and whose profile is shown would be known to have blocked the one who asks (contract 16.1).
 */
export function foundExactly(
  em: EntityManager,
  askerId: number,
  { accountKey, id }: { accountKey: string; id: number | undefined },
): Promise<Found[]> {
  const ways = id === undefined ? [by('account_key')] : [by('account_key'), by('id')];
  const values = id === undefined ? [accountKey] : [accountKey, id];
  return em.query<Found[]>(
    `${ways.join(' UNION ')} ORDER BY id`,
    values.flatMap((value) => [value, askerId]),
  );
}

/** So many parts are looked at for one search at most: those who may not be found must not make it long. */
const MOST_PARTS = 2_000;
const PARTS_AT_ONCE = 500;

type PartRow = Found & { findable: number };

/** The first of those in whose names a word begins with a folded text: by the part that it begins, then by id. */
export async function foundByName(
  em: EntityManager,
  askerId: number,
  beginning: string,
  { limit, hiddenToo }: { limit: number; hiddenToo: boolean },
): Promise<Found[]> {
  const found = new Map<number, Found>();
  // Most who are looked at are found, so little more than what is wanted is enough.
  let wanted = 2 * limit;
  for (let seen = 0; seen < MOST_PARTS && found.size < limit;) {
    const rows = await readParts(em, askerId, { beginning, hiddenToo, offset: seen, limit: wanted });
    for (const { findable, ...user } of rows) if (findable && !found.has(user.id)) found.set(user.id, user);
    if (rows.length < wanted) break;
    seen += wanted;
    wanted = Math.min(PARTS_AT_ONCE, MOST_PARTS - seen);
  }
  return [...found.values()].slice(0, limit);
}

/** Some parts that begin with a text, whether or not their users may be found. */
function readParts(
  em: EntityManager,
  askerId: number,
  {
    beginning,
    hiddenToo,
    offset,
    limit,
  }: { beginning: string; hiddenToo: boolean; offset: number; limit: number },
): Promise<PartRow[]> {
  const end = behindAll(beginning);
  const before = end === undefined ? '' : 'AND part < ?';
  const bounds = end === undefined ? [beginning] : [beginning, end];
  const findable = hiddenToo ? FINDABLE : `u.discoverable = 1 AND ${FINDABLE}`;
  return em.query<PartRow[]>(
    `SELECT u.id, u.name, u.avatar, CASE WHEN ${findable} THEN 1 ELSE 0 END AS findable
     FROM (SELECT part, user_id FROM user_name_parts WHERE part >= ? ${before}
       ORDER BY part, user_id LIMIT ? OFFSET ?) p
     JOIN users u ON u.id = p.user_id ORDER BY p.part, p.user_id`,
    [askerId, askerId, ...bounds, limit, offset],
  );
}

/** A user as another sees it. */
export interface ProfileRow extends Found {
  status: number;
  is_blocked: number;
}

/** One user, and whether the asker has blocked it; undefined when there is none. */
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
