/*
 * Blocks of the inbox map, without the database. A block stores, for each of 1,024 positions of an inbox, the type of the
 * notification there, whether it is unread, and whether it is archived. Types are stored as codes, which the inbox assigns; 0 means that there is
 * no notification.
 */

/** Number of positions in a block. Stored rows depend on it. */
export const BLOCK_SIZE = 1_024;

/** Returns the first position of the block that contains position `seq`. */
export const blockStartOf = (seq: number): number => seq - (seq % BLOCK_SIZE);

/** Groups items by the first position of their block. */
export const byBlock = <Item extends { seq: number }>(items: readonly Item[]): Map<number, Item[]> =>
  Map.groupBy(items, ({ seq }) => blockStartOf(seq));

/** A block as its row stores it. */
export interface StoredBlock {
  start: number;
  /** The version of the inbox that wrote the block. */
  version: number;
  /** Bytes per code: 1, or 4 if a code exceeds 255. */
  width: number;
  /** The codes of the positions from `start`, little-endian, without trailing zeros. */
  types: Uint8Array;
  /** One bit per position, the lowest of the first byte for `start`, without trailing zero bytes. */
  unread: Uint8Array;
  /** One bit per position, as in `unread`; null or absent: no notification is archived. */
  archived?: Uint8Array | null;
}

/** The new state of a position. `code` 0 removes the notification. */
export interface PositionState {
  seq: number;
  code: number;
  isUnread: boolean;
  /** Default: false. */
  isArchived?: boolean;
}

/**
 * The number of notifications of one type in a block or an inbox. In a block, `unread` and `archived_unread` are valid
 * under the condition of `isUnreadAt`.
 */
export interface CodeCount {
  /** All notifications, archived ones included. */
  total: number;
  /** Unread notifications that are not archived. */
  unread: number;
  archived: number;
  archived_unread: number;
}

/** The filters that select from a type; undefined: not filtered. */
export interface StateFilter {
  /** 0: only unread, 1: only read. */
  is_read?: number;
  /** 1: only archived notifications. Otherwise only those that are not archived. */
  archived?: number;
}

/** Returns the number of notifications that a filter selects from those counted. */
export function countMatching(
  { total, unread, archived, archived_unread }: CodeCount,
  { is_read, archived: wantsArchived }: StateFilter,
): number {
  const [all, unreadOfThem] = wantsArchived === 1 ? [archived, archived_unread] : [total - archived, unread];
  if (is_read === undefined) return all;
  return is_read === 0 ? unreadOfThem : all - unreadOfThem;
}

type Codes = Uint8Array | Uint32Array;

const WIDE = 4;

/** A block of the inbox map. Immutable. */
export class InboxBlock {
  #counts?: ReadonlyMap<number, CodeCount>;

  private constructor(
    readonly start: number,
    readonly version: number,
    private readonly codes: Codes,
    private readonly bits: Uint8Array,
    private readonly archivedBits: Uint8Array,
  ) {}

  /** Returns a block without notifications. */
  static empty(start: number): InboxBlock {
    return new InboxBlock(start, 0, new Uint8Array(), new Uint8Array(), new Uint8Array());
  }

  /** Copies a stored block: the driver's buffers are parts of larger ones, which must not stay in memory. */
  static parse({ start, version, width, types, unread, archived }: StoredBlock): InboxBlock {
    return new InboxBlock(
      start,
      version,
      width === WIDE ? wideCodes(types) : new Uint8Array(types),
      new Uint8Array(unread),
      new Uint8Array(archived ?? []),
    );
  }

  get isEmpty(): boolean {
    return this.codes.length === 0;
  }

  /** Size in memory, without the object itself. */
  get bytes(): number {
    return this.codes.byteLength + this.bits.byteLength + this.archivedBits.byteLength;
  }

  /** The position after the last notification. */
  get end(): number {
    return this.start + this.codes.length;
  }

  /** Returns the code of the type at a position; 0 if there is no notification. */
  codeAt(seq: number): number {
    return this.codes[seq - this.start] ?? 0;
  }

  /**
   * Whether the notification at a position is unread.
   * @param epoch the epoch of its type. Marking a type read only raises its epoch to the version of the inbox: unread
   *   bits of blocks that were written before are void.
   */
  isUnreadAt(seq: number, epoch: number): boolean {
    return this.version > epoch && isSet(this.bits, seq - this.start);
  }

  /** Whether the notification at a position is archived. A bit without a notification is void. */
  isArchivedAt(seq: number): boolean {
    return this.codeAt(seq) !== 0 && isSet(this.archivedBits, seq - this.start);
  }

  /** The counts by code. */
  get counts(): ReadonlyMap<number, CodeCount> {
    this.#counts ??= countCodes(this.codes, this.bits, this.archivedBits);
    return this.#counts;
  }

  /**
   * Returns the block with changed positions, as the inbox of `version` writes it.
   * @param epochs by code; the unread bits that they have made void are cleared
   */
  change(
    changes: readonly PositionState[],
    version: number,
    epochs: ReadonlyMap<number, number>,
  ): InboxBlock {
    const codes = new Uint32Array(BLOCK_SIZE);
    codes.set(this.codes);
    const bits = toFullLength(this.bits);
    const archivedBits = toFullLength(this.archivedBits);
    const read = new Set([...epochs.keys()].filter((code) => this.version <= (epochs.get(code) ?? 0)));
    if (read.size > 0)
      for (const [index, code] of this.codes.entries()) if (read.has(code)) setBit(bits, index, false);
    for (const { seq, code, isUnread, isArchived = false } of changes) {
      codes[seq - this.start] = code;
      setBit(bits, seq - this.start, code !== 0 && isUnread);
      setBit(archivedBits, seq - this.start, code !== 0 && isArchived);
    }
    const used = codes.subarray(0, lengthUsed(codes));
    return new InboxBlock(
      this.start,
      version,
      used.some((code) => code > 0xff) ? used.slice() : new Uint8Array(used),
      bits.slice(0, lengthUsed(bits)),
      archivedBits.slice(0, lengthUsed(archivedBits)),
    );
  }

  toStored(): StoredBlock {
    const { start, version, codes, bits: unread } = this;
    const archived = this.archivedBits.length === 0 ? null : this.archivedBits;
    if (codes instanceof Uint8Array) return { start, version, width: 1, types: codes, unread, archived };
    const types = new DataView(new ArrayBuffer(codes.length * WIDE));
    for (const [index, code] of codes.entries()) types.setUint32(index * WIDE, code, true);
    return { start, version, width: WIDE, types: new Uint8Array(types.buffer), unread, archived };
  }
}

const isSet = (bits: Uint8Array, index: number): boolean =>
  (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;

function setBit(bits: Uint8Array, index: number, value: boolean): void {
  const mask = 1 << (index & 7);
  const byte = bits[index >> 3] ?? 0;
  bits[index >> 3] = value ? byte | mask : byte & ~mask;
}

function toFullLength(bits: Uint8Array): Uint8Array {
  const full = new Uint8Array(BLOCK_SIZE / 8);
  full.set(bits);
  return full;
}

/** Returns the length without trailing zeros. */
const lengthUsed = (values: Codes): number => values.findLastIndex((value: number) => value !== 0) + 1;

function wideCodes(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length / WIDE }, (_, index) => view.getUint32(index * WIDE, true));
}

function countCodes(codes: Codes, bits: Uint8Array, archivedBits: Uint8Array): Map<number, CodeCount> {
  let highest = 0;
  for (let index = 0; index < codes.length; index += 1) highest = Math.max(highest, codes[index] ?? 0);
  const total = new Uint16Array(highest + 1);
  const unread = new Uint16Array(highest + 1);
  const archived = new Uint16Array(highest + 1);
  const archivedUnread = new Uint16Array(highest + 1);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    const isArchived = isSet(archivedBits, index);
    const unreadOfThem = isArchived ? archivedUnread : unread;
    total[code] = (total[code] ?? 0) + 1;
    if (isArchived) archived[code] = (archived[code] ?? 0) + 1;
    if (isSet(bits, index)) unreadOfThem[code] = (unreadOfThem[code] ?? 0) + 1;
  }
  const counts = new Map<number, CodeCount>();
  for (let code = 1; code <= highest; code += 1) {
    if ((total[code] ?? 0) === 0) continue;
    counts.set(code, {
      total: total[code] ?? 0,
      unread: unread[code] ?? 0,
      archived: archived[code] ?? 0,
      archived_unread: archivedUnread[code] ?? 0,
    });
  }
  return counts;
}
