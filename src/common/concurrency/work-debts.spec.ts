import { WorkDebts } from './work-debts';

describe('WorkDebts', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const debts = (): WorkDebts =>
    new WorkDebts({ factor: (caller) => (caller === 'key:1' ? 0 : 0.5), maxMs: 1_500, allowanceMs: 1_000 });

  it('lets a caller work until its debt is above the allowance, and again once time has paid the rest', () => {
    const users = debts();
    expect([users.add('user:1', 40), users.isOver('user:1')]).toEqual([0, false]);
    expect([users.add('user:1', 40), users.isOver('user:1')]).toEqual([601, true]);
    jest.advanceTimersByTime(600);
    expect(users.isOver('user:1')).toBe(false);
  });

  it('adds at most the maximum for one item', () => {
    expect(debts().add('user:1', 10_000)).toBe(501);
  });

  it('forgives a debt with time', () => {
    const users = debts();
    users.add('user:1', 40);
    jest.advanceTimersByTime(800);
    expect([users.add('user:1', 40), users.isOver('user:1')]).toEqual([0, false]);
  });

  it('adds at most the part for items that are alone, and nothing for callers whose factor is 0', () => {
    const users = new WorkDebts({
      factor: (caller) => (caller === 'key:1' ? 0 : 1),
      maxMs: 1_500,
      allowanceMs: 0,
      aloneFactor: 2,
    });
    expect(['user:1', 'user:2', 'key:1'].map((caller) => users.add(caller, 25, caller !== 'user:2'))).toEqual(
      [51, 626, 0],
    );
  });

  it('adds nothing for items of less than 1 ms, and for callers whose factor is 0', () => {
    const users = debts();
    for (let item = 0; item < 1_000; item += 1) users.add('user:1', 0.9);
    for (let item = 0; item < 1_000; item += 1) users.add('key:1', 100);
    expect([users.isOver('user:1'), users.isOver('key:1')]).toEqual([false, false]);
  });

  it('keeps the debts of callers apart', () => {
    const users = debts();
    users.add('user:1', 100);
    users.add('user:1', 100);
    expect([users.isOver('user:1'), users.isOver('user:2')]).toEqual([true, false]);
  });
});
