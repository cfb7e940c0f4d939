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

/** Where a page of a list that goes by time ends: at the last row's moment, and among those of one moment its id. */
export interface MomentPosition {
  at: Date;
  id: number;
}

/**
 * `keysetPage` of a list that goes by (moment, id), both downwards.
 * @param positionOf where a row stands
 */
export function momentPage<Row, T>(
  list: ListName,
  { found, limit }: { found: readonly Row[]; limit: number },
  positionOf: (row: Row) => MomentPosition,
  toItem: (row: Row) => T,
): KeysetPage<T> {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const end = last && positionOf(last);
  return { items: rows.map(toItem), next_cursor: end ? cursorOf(list, end.id, end.at) : null };
}

/**
 * The position below which the page begins; undefined without a cursor.
 * @throws {BusinessError} VALIDATION `cursor 取值无效`: malformed, or another list's
 */
export function readMomentCursor(list: ListName, cursor: string | undefined): MomentPosition | undefined {
  if (cursor === undefined) return undefined;
  const [, at = '', id = '', digest] =
    /^(\d{1,15})-(\d{1,16})\.([\da-f]+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digest !== digestOf(list)) throw invalidField('cursor', '取值无效');
  return { at: new Date(Number(at)), id: Number(id) };
}

function cursorOf(list: ListName, id: number, at?: Date): string {
  const position = at === undefined ? id : `${at.getTime()}-${id}`;
  return Buffer.from(`${position}.${digestOf(list)}`).toString('base64url');
}

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
