import { firstVisible, lengthOf, pageRange, rangeBeside, totalOf } from './history-range.rules';

describe('firstVisible', () => {
  it.each([
    ['since joining', { join_seq: 1, cleared_seq: 0 }, 1],
    ['since joining later', { join_seq: 7, cleared_seq: 0 }, 7],
    ['since clearing', { join_seq: 7, cleared_seq: 9 }, 10],
    ['since joining when only earlier messages are cleared', { join_seq: 7, cleared_seq: 6 }, 7],
  ])('returns the first message %s', (_, member, first) => {
    expect(firstVisible(member)).toBe(first);
  });
});

describe('History ranges', () => {
  const visible = { first: 4, top: 10 };

  it('count the visible messages', () => {
    expect(totalOf(visible)).toBe(7);
    expect(totalOf({ first: 11, top: 10 })).toBe(0);
  });

  it.each([
    [1, 3, { from: 8, to: 10 }],
    [2, 3, { from: 5, to: 7 }],
    [3, 3, { from: 4, to: 4 }],
    [1, 7, { from: 4, to: 10 }],
    [1, 100, { from: 4, to: 10 }],
  ])('cover page %d with %d messages per page', (page, per_page, expected) => {
    expect(pageRange(visible, { page, per_page })).toEqual(expected);
  });

  it('are empty beyond the end', () => {
    expect(lengthOf(pageRange(visible, { page: 4, per_page: 3 }))).toBe(0);
    expect(lengthOf(pageRange(visible, { page: 2, per_page: 7 }))).toBe(0);
    expect(lengthOf(pageRange(visible, { page: 2_147_483_647, per_page: 100 }))).toBe(0);
  });

  it.each([
    ['older', 10, 3, { from: 7, to: 9, hasMore: true }],
    ['older', 7, 3, { from: 4, to: 6, hasMore: false }],
    ['older', 5, 3, { from: 4, to: 4, hasMore: false }],
    ['newer', 4, 3, { from: 5, to: 7, hasMore: true }],
    ['newer', 7, 3, { from: 8, to: 10, hasMore: false }],
    ['newer', 9, 3, { from: 10, to: 10, hasMore: false }],
  ] as const)('cover the %s side of %d with %d messages', (side, seq, count, expected) => {
    expect(rangeBeside(visible, { side, seq, count })).toEqual(expected);
  });

  it('are empty beyond the outermost message', () => {
    expect(lengthOf(rangeBeside(visible, { side: 'older', seq: 4, count: 3 }))).toBe(0);
    expect(lengthOf(rangeBeside(visible, { side: 'newer', seq: 10, count: 3 }))).toBe(0);
  });
});
