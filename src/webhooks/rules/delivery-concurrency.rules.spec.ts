import { DeliveryConcurrency } from './delivery-concurrency.rules';

describe('Attempt slots', () => {
  const begin = (slots: DeliveryConcurrency, endpointId: number, count: number): void => {
    for (let index = 0; index < count; index += 1) slots.begin(endpointId);
  };
  const fail = (slots: DeliveryConcurrency, count: number, now = 0): void => {
    for (let index = 0; index < count; index += 1) {
      slots.begin(1);
      slots.end(1, { ok: false, ms: 1, now });
    }
  };

  it('are 5 per endpoint', () => {
    const slots = new DeliveryConcurrency();
    expect(slots.availableSlots(1, [1], 0)).toBe(5);
    begin(slots, 1, 3);
    expect(slots.availableSlots(1, [1], 0)).toBe(2);
    slots.begin(1);
    slots.end(1, { ok: true, ms: 1, now: 0 });
    expect([slots.availableSlots(1, [1], 0), slots.underWay]).toEqual([2, 3]);
  });

  it('are 50 in total, one reserved per endpoint', () => {
    const slots = new DeliveryConcurrency();
    const all = Array.from({ length: 50 }, (_, index) => index + 1);
    for (const id of all) begin(slots, id, slots.availableSlots(id, all, 0));
    expect(all.map((id) => slots.availableSlots(id, all, 0))).toEqual(all.map(() => 0));
    expect(slots.underWay).toBe(50);

    const nine = new DeliveryConcurrency();
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8, 9])
      begin(nine, id, nine.availableSlots(id, all.slice(0, 20), 0));
    expect(nine.underWay).toBe(39);
    const rest = all.slice(9, 20);
    for (const id of rest) {
      expect(nine.availableSlots(id, all.slice(0, 20), 0)).toBe(1);
      nine.begin(id);
    }
    expect(nine.underWay).toBe(50);
  });

  it('are reserved for endpoints without queued deliveries', () => {
    const slots = new DeliveryConcurrency();
    const all = Array.from({ length: 20 }, (_, index) => index + 1);
    for (let look = 0; look < 3; look += 1)
      for (const id of all.slice(0, 19)) begin(slots, id, slots.availableSlots(id, all, 0));
    expect([slots.underWay, slots.availableSlots(20, all, 0)]).toEqual([49, 1]);
  });

  it('allow a failing endpoint one attempt a second until one succeeds', () => {
    const slots = new DeliveryConcurrency();
    fail(slots, 4);
    expect(slots.availableSlots(1, [1], 0)).toBe(5);
    fail(slots, 1);
    expect([slots.availableSlots(1, [1], 0), slots.availableSlots(1, [1], 999)]).toEqual([0, 0]);
    expect(slots.availableSlots(1, [1], 1_000)).toBe(1);
    slots.begin(1);
    expect(slots.availableSlots(1, [1], 5_000)).toBe(0);
    slots.end(1, { ok: false, ms: 1, now: 6_000 });
    expect([slots.availableSlots(1, [1], 6_999), slots.availableSlots(1, [1], 7_000)]).toEqual([0, 1]);
    slots.begin(1);
    slots.end(1, { ok: true, ms: 1, now: 7_000 });
    expect(slots.availableSlots(1, [1], 7_000)).toBe(5);
  });

  it('allow larger claims than free slots after a fast and successful attempt', () => {
    const slots = new DeliveryConcurrency();
    const after = (ok: boolean, ms: number): number => {
      slots.begin(1);
      slots.end(1, { ok, ms, now: 0 });
      return slots.claimSize(1, 5);
    };
    expect(slots.claimSize(1, 5)).toBe(5);
    expect([after(true, 0), after(true, 250), after(true, 2_000), after(false, 1)]).toEqual([50, 20, 5, 5]);
  });

  it('are pruned for endpoints without queued deliveries', () => {
    const slots = new DeliveryConcurrency();
    fail(slots, 5);
    slots.prune([1]);
    expect(slots.availableSlots(1, [1], 0)).toBe(0);
    slots.prune([2]);
    expect(slots.availableSlots(1, [1], 0)).toBe(5);
  });
});
