import { TimeoutSet } from './timeout-set';

describe('TimeoutSet', () => {
  let late: string[];
  let deadlines: TimeoutSet;
  const begin = (name: string): (() => void) => deadlines.start(() => late.push(name));
  beforeEach(() => {
    jest.useFakeTimers();
    late = [];
    deadlines = new TimeoutSet(1_000);
  });
  afterEach(() => jest.useRealTimers());

  it('calls onLate once, within 250 ms of the limit', () => {
    begin('late');
    jest.advanceTimersByTime(999);
    expect(late).toEqual([]);
    jest.advanceTimersByTime(251);
    expect(late).toEqual(['late']);
    expect(deadlines.count).toBe(0);
    jest.advanceTimersByTime(10_000);
    expect(late).toEqual(['late']);
  });

  it('accepts a longer limit for one item', () => {
    begin('usual');
    deadlines.start(() => late.push('longer'), 5_000);
    jest.advanceTimersByTime(4_999);
    expect(late).toEqual(['usual']);
    jest.advanceTimersByTime(251);
    expect(late).toEqual(['usual', 'longer']);
  });

  it('does not call onLate for ended time limits, in any position', () => {
    const ends = ['a', 'b', 'c', 'd', 'e'].map(begin);
    for (const index of [1, 4, 0]) ends[index]?.();
    expect(deadlines.count).toBe(2);
    jest.advanceTimersByTime(2_000);
    expect(late.toSorted()).toEqual(['c', 'd']);
  });

  it('ignores an end that is late or repeated', () => {
    const end = begin('a');
    begin('b');
    end();
    end();
    expect(deadlines.count).toBe(1);
    const endOfC = begin('c');
    jest.advanceTimersByTime(2_000);
    endOfC();
    expect([late, deadlines.count]).toEqual([['b', 'c'], 0]);
  });

  it('does not call onLate for a time limit that another onLate ended', () => {
    const ends: (() => void)[] = [];
    deadlines.start(() => {
      late.push('first');
      ends.forEach((end) => end());
    });
    ends.push(begin('second'));
    jest.advanceTimersByTime(2_000);
    expect(late).toEqual(['first']);
  });

  it('runs its timer only while time limits are pending', () => {
    expect(jest.getTimerCount()).toBe(0);
    const end = begin('a');
    expect(jest.getTimerCount()).toBe(1);
    end();
    jest.advanceTimersByTime(250);
    expect(jest.getTimerCount()).toBe(0);
    begin('b');
    expect(jest.getTimerCount()).toBe(1);
  });

  it('measures each time limit from its own start', () => {
    begin('a');
    jest.advanceTimersByTime(600);
    begin('b');
    jest.advanceTimersByTime(650);
    expect(late).toEqual(['a']);
    jest.advanceTimersByTime(600);
    expect(late).toEqual(['a', 'b']);
  });
});
