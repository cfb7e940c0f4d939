/** An inbox, or its notifications of one type. */
export interface InboxList {
  total: number;
  /** Bitmap of unread notifications. Position 1 is the lowest bit of the first byte; missing bits count as 0. */
  bits: Buffer;
}

/** Number of set bits of each byte value. */
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/**
 * Returns the positions of a page, newest first. Whole bytes are skipped up to the start of the page.
 * @param isRead true for the list of read notifications, false for unread ones
 */
export function positions({ total, bits }: InboxList, isRead: boolean, skip: number, take: number): number[] {
  const found: number[] = [];
  let left = skip;
  for (let eight = Math.ceil(total / 8) - 1; eight >= 0 && found.length < take; eight -= 1) {
    const size = Math.min(8, total - eight * 8);
    const unread = bits[eight] ?? 0;
    const wanted = isRead ? ~unread & ((1 << size) - 1) : unread;
    const ones = ONES[wanted] ?? 0;
    if (left >= ones) {
      left -= ones;
      continue;
    }
    for (let bit = size - 1; bit >= 0 && found.length < take; bit -= 1) {
      if ((wanted & (1 << bit)) === 0) continue;
      if (left > 0) left -= 1;
      else found.push(eight * 8 + bit + 1);
    }
  }
  return found;
}
