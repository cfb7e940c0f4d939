import { Throttle } from './throttle';

describe('Throttle', () => {
  let throttle: Throttle<string>;
  beforeEach(() => (throttle = new Throttle(3_000)));

  it('emits the first item of an interval, defers the second and drops the next ones', () => {
    const decisions = [0, 1, 2_999, 3_000].map((at) => throttle.take('a', 'item', at));
    expect(decisions).toEqual(['emit', 'defer', 'drop', 'emit']);
  });

  it('returns the newest deferred item once when the interval ends, and starts another one', () => {
    for (const at of [0, 1_000, 2_000]) throttle.take('a', `item of ${at}`, at);
    const due = [2_999, 3_000, 3_000].map((at) => throttle.due(at));
    expect(due).toEqual([[], ['item of 2000'], []]);
    expect(throttle.take('a', 'item of 5999', 5_999)).toBe('defer');
    expect(throttle.due(6_000)).toEqual(['item of 5999']);
  });

  it('keeps the deferred item that the owner selects', () => {
    const longest = new Throttle<string>(3_000, (a, b) => (a.length > b.length ? a : b));
    for (const item of ['aaaa', 'a', 'aaa', 'aa']) longest.take('a', item, 0);
    expect(longest.due(3_000)).toEqual(['aaa']);
  });

  it('emits the end of a series immediately, once', () => {
    throttle.take('a', 'item', 0);
    expect([throttle.end('a', 1), throttle.end('a', 2)]).toEqual(['emit', 'drop']);
  });

  it('drops the deferred item when the series ends', () => {
    for (const at of [0, 1]) throttle.take('a', 'item', at);
    throttle.end('a', 2);
    expect(throttle.due(3_000)).toEqual([]);
  });

  it('drops the end of a series whose only item was deferred after an end', () => {
    throttle.end('a', 0);
    expect([throttle.take('a', 'item', 1), throttle.end('a', 2)]).toEqual(['defer', 'drop']);
    expect(throttle.due(3_000)).toEqual([]);
  });

  it('emits an end after a deferred item that was due', () => {
    for (const at of [0, 1]) throttle.take('a', 'item', at);
    throttle.due(3_000);
    expect(throttle.end('a', 3_001)).toBe('emit');
  });

  it('emits one item and one end per interval when they alternate', () => {
    const emitted: number[] = [];
    for (let at = 0; at < 6_000; at += 10) {
      const decision = at % 20 === 0 ? throttle.take('a', 'item', at) : throttle.end('a', at);
      if (decision === 'emit') emitted.push(at);
    }
    expect(emitted).toEqual([0, 10, 3_000, 3_010]);
  });

  it('throttles each key by itself', () => {
    expect([throttle.take('a', 'item', 0), throttle.take('b', 'item', 0)]).toEqual(['emit', 'emit']);
  });

  it('forgets a key when its interval ends without a deferred item', () => {
    throttle.take('a', 'item', 0);
    throttle.due(3_000);
    // Even at an earlier time the key starts a new interval.
    expect(throttle.take('a', 'item', 2_000)).toBe('emit');
  });
});
