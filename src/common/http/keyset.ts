import { createHash } from 'node:crypto';
import { invalidField } from '../errors/business-error';

/*
 * Long lists, newest first: each page goes on below the last id of the one before, at the same cost however much there is.
 * A cursor belongs to its list and to its filters.
 */

/** A page of a long list. */
export interface KeysetPage<T> {
  items: T[];
  /** What asks for the next page; null at the end. */
  next_cursor: string | null;
}

/** Which list a cursor is of: its name, and what narrows it. */
export type ListName = readonly [name: string, ...filters: unknown[]];

/**
 * A page of what was found, one more than a page has where there is more.
 * @param found at most `limit` + 1 rows
 */
export function keysetPage<Row extends { id: number }, T>(
  list: ListName,
  { found, limit }: { found: readonly Row[]; limit: number },
  toItem: (row: Row) => T,
): KeysetPage<T> {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { items: rows.map(toItem), next_cursor: last === undefined ? null : cursorOf(list, last.id) };
}

const cursorOf = (list: ListName, id: number): string =>
  Buffer.from(`${id}.${digestOf(list)}`).toString('base64url');

/**
 * The id below which the page begins; undefined without a cursor.
 * @throws {BusinessError} VALIDATION `cursor 取值无效`: malformed, or another list's
 */
export function readCursor(list: ListName, cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const [, id = '', digest] =
    /^(\d{1,16})\.([\da-f]+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digest !== digestOf(list)) throw invalidField('cursor', '取值无效');
  return Number(id);
}

const digestOf = (list: ListName): string =>
  createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, 12);
