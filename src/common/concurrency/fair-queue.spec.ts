import { FairQueue, type FairQueueOptions } from './fair-queue';

/** Creates a queue and records the items in the order in which they get a slot. */
function controlled(options: FairQueueOptions) {
  const queue = new FairQueue(options);
  const begun: string[] = [];
  const leaves = new Map<string, () => void>();
  const turn = (): Promise<void> => new Promise(setImmediate);
  /** Queues items, named by their caller and a number (`a1`). Items that begin with `-` have no caller. */
  const ask = async (...items: string[]): Promise<void> => {
    const wait = async (item: string): Promise<void> => {
      const leave = await queue.acquire(item.startsWith('-') ? undefined : item.slice(0, 1));
      begun.push(item);
      leaves.set(item, leave);
    };
    for (const item of items) void wait(item);
    await turn();
  };
  const end = async (...items: string[]): Promise<void> => {
    for (const item of items) {
      leaves.get(item)?.();
      await turn();
    }
  };
  return { queue, begun, ask, end };
}

describe('FairQueue', () => {
  it('gives a slot to a caller immediately while another caller waits for more than its share', async () => {
    const { queue, begun, ask } = controlled({ slots: 4, perCaller: 2 });
    await ask('a1', 'a2', 'a3', 'a4', 'b1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    expect([queue.used, queue.waiting]).toEqual([3, 2]);
  });

  it('serves callers in turn and the items of each in their order', async () => {
    const { begun, ask, end } = controlled({ slots: 1, perCaller: 1 });
    await ask('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
    await end('a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('passes a caller that has its share already, and serves it when one of its slots is free', async () => {
    const { queue, begun, ask, end } = controlled({ slots: 3, perCaller: 2 });
    await ask('a1', 'a2', 'b1', 'a3', 'b2');
    await end('b1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
    await end('a1', 'b2', 'a3');
    expect([queue.used, queue.waiting]).toEqual([0, 0]);
  });

  it('counts each item without a caller as a caller of its own', async () => {
    const { begun, ask, end } = controlled({ slots: 2, perCaller: 1 });
    await ask('-1', '-2', 'a1', 'a2', '-3', '-4');
    await end('-1', '-2', 'a1');
    expect(begun).toEqual(['-1', '-2', 'a1', '-3', '-4']);
  });

  it('lets the event loop turn before the next item begins when it yields', async () => {
    const queue = new FairQueue({ slots: 1, perCaller: 1, yields: true });
    const order: string[] = [];
    const leave = await queue.acquire('a');
    const goOn = async (): Promise<void> => {
      const leaveAgain = await queue.acquire('a');
      order.push('next of the caller');
      leaveAgain();
    };
    const next = goOn();
    // A request of another caller is read in that turn, and starts before the item after the next.
    setImmediate(() => order.push('event loop'));
    leave();
    await queue.acquire('b');
    await next;
    expect(order).toEqual(['event loop', 'next of the caller']);
  });

  it('frees a slot once when it is released twice', async () => {
    const { queue, begun, ask, end } = controlled({ slots: 1, perCaller: 1 });
    await ask('a1', 'b1', 'c1');
    await end('a1', 'a1');
    expect(begun).toEqual(['a1', 'b1']);
    expect([queue.used, queue.waiting]).toEqual([1, 1]);
  });

  it('lets the event loop turn after a long item when it yields, also when no item waits', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const queue = new FairQueue({ slots: 1, perCaller: 1, yields: true });
      const leave = await queue.acquire('a');
      jest.advanceTimersByTime(1);
      leave();
      let hasNext = false;
      void queue.acquire('a').then(() => (hasNext = true));
      await Promise.resolve();
      expect(hasNext).toBe(false);
      await new Promise(setImmediate);
      expect(hasNext).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  it('delays a caller whose items took long, and serves others meanwhile', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const debts = { debtMs: (ms: number) => ms * 10, allowanceMs: 300, aloneFactor: 100 };
      const { begun, ask, end } = controlled({ slots: 1, perCaller: 1, debts });
      await ask('a1');
      jest.advanceTimersByTime(20);
      await end('a1');
      await ask('a2');
      jest.advanceTimersByTime(20);
      await end('a2');
      // 200 ms for each, less the 20 ms that have passed since the first.
      await ask('a3', 'b1');
      expect(begun).toEqual(['a1', 'a2', 'b1']);
      await end('b1');
      jest.advanceTimersByTime(80);
      await ask();
      expect(begun).toEqual(['a1', 'a2', 'b1']);
      jest.advanceTimersByTime(1);
      await ask();
      expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    } finally {
      jest.useRealTimers();
    }
  });

  describe('with debts', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
    afterEach(() => jest.useRealTimers());

    it('keeps the order of a caller whose debt is paid before the timer serves its items', async () => {
      const debts = { debtMs: () => 400, allowanceMs: 100, aloneFactor: 100 };
      const { begun, ask, end } = controlled({ slots: 1, perCaller: 1, debts });
      await ask('a1', 'a2');
      jest.advanceTimersByTime(20);
      await end('a1');
      jest.advanceTimersByTime(300);
      await ask('a3');
      expect(begun).toEqual(['a1']);
      jest.advanceTimersByTime(1);
      await ask();
      expect(begun).toEqual(['a1', 'a2']);
    });

    it('adds the debt for the size that an item reports', async () => {
      const debts = { debtMs: (bytes: number) => bytes / 100, allowanceMs: 100, aloneFactor: 1 };
      const queue = new FairQueue({ slots: 1, perCaller: 1, debts });
      (await queue.acquire('a'))(20_000);
      let hasNext = false;
      void queue.acquire('a').then(() => (hasNext = true));
      await jest.advanceTimersByTimeAsync(100);
      expect(hasNext).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(hasNext).toBe(true);
    });

    it('adds less for the items of a caller that has one at a time', async () => {
      const debts = { debtMs: () => 400, allowanceMs: 100, aloneFactor: 1 };
      const { begun, ask, end } = controlled({ slots: 2, perCaller: 2, debts });
      for (const item of ['a1', 'a2', 'a3']) {
        await ask(item);
        jest.advanceTimersByTime(20);
        await end(item);
      }
      expect(begun).toEqual(['a1', 'a2', 'a3']);
      await ask('a4', 'a5');
      jest.advanceTimersByTime(20);
      await end('a4', 'a5');
      await ask('a6');
      expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
    });
  });
});
