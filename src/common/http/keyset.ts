import { createHash } from 'node:crypto';
import { invalidField } from '../errors/business-error';

/*
 * Keyset pagination of long lists, newest first: each page continues below the last id of the previous page, at
 * constant cost. A cursor is valid only for its list with the same filters.
 */

/** A page of a long list. */
export interface KeysetPage<T> {
  items: T[];
  /** `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

/** Identifies the list of a cursor: its name and its filters. */
export type ListName = readonly [name: string, ...filters: unknown[]];

/**
 * Returns a page of the rows. A row beyond `limit` indicates that there is a next page.
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

/** Position in a list that is ordered by timestamp and then by id. */
export interface MomentPosition {
  at: Date;
  id: number;
}

/**
 * Returns a page of a list that is ordered by (timestamp, id), both descending; otherwise like `keysetPage`.
 * @param positionOf returns the position of a row
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
  return { items: rows.map(toItem), next_cursor: end ? pairCursor(list, [end.at.getTime(), end.id]) : null };
}

/**
 * Returns the position below which the page starts; undefined without a cursor.
 * @throws {BusinessError} VALIDATION `cursor 取值无效`: malformed, or of another list or other filters
 */
export function readMomentCursor(list: ListName, cursor: string | undefined): MomentPosition | undefined {
  const position = readPairCursor(list, cursor);
  return position && { at: new Date(position[0]), id: position[1] };
}

const cursorOf = (list: ListName, id: number): string =>
  Buffer.from(`${id}.${digestOf(list)}`).toString('base64url');

/**
 * Returns the id below which the page starts; undefined without a cursor.
 * @throws {BusinessError} VALIDATION `cursor 取值无效`: malformed, or of another list or other filters
 */
export function readCursor(list: ListName, cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const [, id = '', digest] =
    /^(\d{1,16})\.([\da-f]+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digest !== digestOf(list)) throw invalidField('cursor', 'invalid');
  return Number(id);
}

/** Returns a cursor of a list whose position is two numbers, 0 or higher. */
export const pairCursor = (list: ListName, [first, second]: readonly [number, number]): string =>
  Buffer.from(`${first}-${second}.${digestOf(list)}`).toString('base64url');

/**
 * Returns the position of a cursor of `pairCursor`; undefined without a cursor.
 * @throws {BusinessError} VALIDATION `cursor 取值无效`: malformed, or of another list or other filters
 */
export function readPairCursor(list: ListName, cursor: string | undefined): [number, number] | undefined {
  if (cursor === undefined) return undefined;
  const [, first = '', second = '', digest] =
    /^(\d{1,16})-(\d{1,16})\.([\da-f]+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digest !== digestOf(list)) throw invalidField('cursor', 'invalid');
  return [Number(first), Number(second)];
}

const digestOf = (list: ListName): string =>
  createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, 12);
