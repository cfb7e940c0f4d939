import { firstVisible, hasMoreBeyond, pageRange, rangeBeside, runsOf, totalOf } from './history-range.rules';

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
    [1, 3, { from: -2, to: 0 }],
    [2, 3, { from: -5, to: -3 }],
    [2_147_483_647, 100, { from: -214_748_364_699, to: -214_748_364_600 }],
  ])('cover page %d with %d messages per page, relative to the newest', (page, per_page, expected) => {
    expect(pageRange({ page, per_page })).toEqual(expected);
  });

  it.each([
    ['older', 10, 3, { from: 7, to: 9 }, true],
    ['older', 7, 3, { from: 4, to: 6 }, false],
    ['older', 5, 3, { from: 2, to: 4 }, false],
    ['newer', 4, 3, { from: 5, to: 7 }, true],
    ['newer', 7, 3, { from: 8, to: 10 }, false],
    ['newer', 9, 3, { from: 10, to: 12 }, false],
  ] as const)('cover the %s side of %d with %d messages', (side, seq, count, expected, hasMore) => {
    const range = rangeBeside(side, seq, count);
    expect(range).toEqual(expected);
    expect(hasMoreBeyond(side, range, visible)).toBe(hasMore);
  });
});

describe('runsOf', () => {
  it('splits messages so that no run spans more numbers than allowed', () => {
    const messages = [900, 899, 801, 800, 30, 1].map((seq) => ({ seq }));
    expect(runsOf(messages, 100).map((run) => run.map(({ seq }) => seq))).toEqual([
      [900, 899, 801],
      [800],
      [30, 1],
    ]);
    expect(runsOf([], 100)).toEqual([]);
  });
});
