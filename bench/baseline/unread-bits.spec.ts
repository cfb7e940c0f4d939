import { positions } from './unread-bits';

/** Ten notifications, of which the third, the eighth and the ninth are unread. */
const list = { total: 10, bits: Buffer.from([0b1000_0100, 0b0000_0001]) };

describe('positions()', () => {
  it.each<[string, boolean, number, number, number[]]>([
    ['unread notifications, newest first', false, 0, 15, [9, 8, 3]],
    ['the second page of unread notifications', false, 2, 2, [3]],
    ['nothing beyond the last page', false, 3, 2, []],
    ['read notifications', true, 0, 3, [10, 7, 6]],
    ['read notifications, starting within a byte', true, 2, 3, [6, 5, 4]],
    ['read notifications, to the end', true, 5, 15, [2, 1]],
  ])('returns %s', (_, isRead, skip, take, expected) => {
    expect(positions(list, isRead, skip, take)).toEqual(expected);
  });

  it('treats notifications without a set bit as read', () => {
    expect(positions({ total: 10, bits: Buffer.alloc(0) }, true, 8, 15)).toEqual([2, 1]);
    expect(positions({ total: 10, bits: Buffer.alloc(0) }, false, 0, 15)).toEqual([]);
  });

  it('returns a late page of a long list', () => {
    const long = { total: 20_000, bits: Buffer.alloc(2_500, 0b0101_0101) };
    expect(positions(long, false, 9_990, 15)).toEqual([19, 17, 15, 13, 11, 9, 7, 5, 3, 1]);
    expect(positions(long, true, 9_990, 3)).toEqual([20, 18, 16]);
  });
});
