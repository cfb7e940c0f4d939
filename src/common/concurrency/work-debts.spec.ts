import { squareOfTime, WorkDebts } from './work-debts';

describe('WorkDebts', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const debts = (): WorkDebts =>
    new WorkDebts({ debtMs: (size) => size * 20, allowanceMs: 1_000, aloneFactor: 1 });

  it('blocks a caller whose debt exceeds the allowance until enough time has passed', () => {
    const users = debts();
    expect([users.add('user:1', 40), users.isOver('user:1')]).toEqual([0, false]);
    expect([users.add('user:1', 40), users.isOver('user:1')]).toEqual([601, true]);
    jest.advanceTimersByTime(600);
    expect(users.isOver('user:1')).toBe(false);
  });

  it('reduces a debt over time', () => {
    const users = debts();
    users.add('user:1', 40);
    jest.advanceTimersByTime(800);
    expect([users.add('user:1', 40), users.isOver('user:1')]).toEqual([0, false]);
  });

  it('adds at most aloneFactor times the size of an item that runs alone', () => {
    const users = new WorkDebts({ debtMs: () => 500, allowanceMs: 0, aloneFactor: 2 });
    expect([users.add('user:1', 25, true), users.add('user:2', 25, false)]).toEqual([51, 501]);
  });

  it('tracks the debt of each caller separately', () => {
    const users = debts();
    users.add('user:1', 100);
    users.add('user:1', 100);
    expect([users.isOver('user:1'), users.isOver('user:2')]).toEqual([true, false]);
  });
});

it.each([
  ['nothing for less than 1 ms', 0.9, 0],
  ['the factor for 1 ms', 1, 0.5],
  ['the square of a longer time', 40, 800],
  ['at most the maximum', 10_000, 2_500],
])('squareOfTime returns %s', (_, tookMs, debt) => {
  expect(squareOfTime(tookMs, 0.5, 2_500)).toBe(debt);
});
