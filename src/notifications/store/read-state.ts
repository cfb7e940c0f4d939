import { BLOCK_SIZE, InboxBlock } from '../rules/inbox-block.rules';
import type { TypeCounts } from '../rules/inbox-map.rules';

/* Reads parts of an inbox from joined or united rows: the state of single notifications, blocks, and counts of types. */

/** Joins to notifications `n` their blocks `b`. */
export const JOIN_BLOCK = `LEFT JOIN notification_blocks b
  ON b.user_id = n.user_id AND b.start = n.seq - n.seq % ${BLOCK_SIZE}`;

/**
 * Returns the byte with the bit of notification `n`, as two hexadecimal digits: SQLite's driver would create a buffer for
 * each byte.
 */
const byteOf = (bits: string): string =>
  `HEX(SUBSTR(${bits}, (n.seq % ${BLOCK_SIZE} - n.seq % 8) / 8 + 1, 1))`;

/** The byte of block `b` with the unread bit of notification `n`: empty if all bits from there are zero. */
export const UNREAD_BYTE = byteOf('b.unread');

/** The byte of block `b` with the archived bit of notification `n`, as in `UNREAD_BYTE`. */
export const ARCHIVED_BYTE = byteOf('b.archived');

/** A notification with columns of its block; null: it has none. */
export interface ReadState {
  seq: number;
  /** The version of the block. */
  version: number | null;
  unread_byte: string | null;
}

/** Whether a notification is unread. @param epoch the epoch of its type */
export const isUnread = ({ seq, version, unread_byte }: ReadState, epoch: number): boolean =>
  (version ?? 0) > epoch && isSet(unread_byte, seq);

/** Whether a notification is archived. */
export const isArchived = ({ seq, archived_byte }: { seq: number; archived_byte: string | null }): boolean =>
  isSet(archived_byte, seq);

/** Whether the bit of notification `seq` is set in its byte; without a byte it is not. */
const isSet = (byte: string | null, seq: number): boolean =>
  ((Number.parseInt(byte ?? '', 16) >> (seq % 8)) & 1) === 1;

/**
 * A block `b`. The statements also select counts of types, which have columns `unread` and `archived` too, so those of
 * the block are named `bits` and `archived_bits`.
 */
export interface BlockRow {
  start: number;
  version: number;
  width: number;
  types: Uint8Array;
  bits: Uint8Array;
  archived_bits: Uint8Array | null;
}

export const toBlock = ({ start, version, width, types, bits, archived_bits }: BlockRow): InboxBlock =>
  InboxBlock.parse({ start, version, width, types, unread: bits, archived: archived_bits });

/** The counts of a type `c` of an inbox; all null for an inbox without notifications. */
export type CountsRow = TypeCounts | { [Name in keyof TypeCounts]: null };

/** Returns the counts in the rows of an inbox, without their other columns. */
export const toTypeCounts = (rows: readonly CountsRow[]): TypeCounts[] =>
  rows
    .filter((row) => row.type !== null)
    .map(({ type, code, total, unread, archived, archived_unread, epoch }) => {
      return { type, code, total, unread, archived, archived_unread, epoch };
    });
