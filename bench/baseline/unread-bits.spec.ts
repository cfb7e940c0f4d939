import { positions } from './unread-bits';

/** Of ten notifications, the third, the eighth and the ninth are unread. */
const list = { total: 10, bits: Buffer.from([0b1000_0100, 0b0000_0001]) };

describe('A page of an inbox by its bits', () => {
  it.each<[string, boolean, number, number, number[]]>([
    ['what is unread, the newest first', false, 0, 15, [9, 8, 3]],
    ['its second page', false, 2, 2, [3]],
    ['beyond its end', false, 3, 2, []],
    ['what is read', true, 0, 3, [10, 7, 6]],
    ['what is read, from within a byte', true, 2, 3, [6, 5, 4]],
    ['what is read, to the end', true, 5, 15, [2, 1]],
  ])('finds %s', (_, isRead, skip, take, expected) => {
    expect(positions(list, isRead, skip, take)).toEqual(expected);
  });

  it('takes what has no bit for read', () => {
    expect(positions({ total: 10, bits: Buffer.alloc(0) }, true, 8, 15)).toEqual([2, 1]);
    expect(positions({ total: 10, bits: Buffer.alloc(0) }, false, 0, 15)).toEqual([]);
  });

  it('finds a page deep in a long list without a bit too many', () => {
    const long = { total: 20_000, bits: Buffer.alloc(2_500, 0b0101_0101) };
    expect(positions(long, false, 9_990, 15)).toEqual([19, 17, 15, 13, 11, 9, 7, 5, 3, 1]);
    expect(positions(long, true, 9_990, 3)).toEqual([20, 18, 16]);
  });
});
