import { type BatchOptions, BatchQueue } from './batch-queue';
import { BusinessError } from '../errors/business-error';

const MAX_WAIT_MS = 1_000;

type Options = Partial<
  Pick<
    BatchOptions<string, string>,
    'concurrency' | 'lingerMs' | 'uniqueKeysPerBatch' | 'stuckAfterMs' | 'isItemFailure'
  >
>;

/**
 * Creates a queue whose batches are ended by the test. An item contains its keys and, after a colon, a suffix: `a+b:1`
 * has the keys `a` and `b`.
 */
function controlled({ concurrency = 2, lingerMs = 0, ...options }: Options = {}) {
  const batches: {
    items: string[];
    end: (results: (string | Error)[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const queue = new BatchQueue<string, string>({
    concurrency,
    lingerMs,
    ...options,
    maxWaitMs: MAX_WAIT_MS,
    keysOf: (item) => item.split(':')[0]?.split('+') ?? [],
    sizeOf: (item) => item.length,
    work: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<(string | Error)[]>();
      batches.push({ items, end: resolve, fail: reject });
      return promise;
    },
  });
  const begun = (): string[] => batches.map(({ items }) => items.join(' '));
  const turn = (): Promise<void> => new Promise(setImmediate);
  const end = async (index: number, results?: (string | Error)[]): Promise<void> => {
    const batch = batches[index];
    batch?.end(results ?? batch.items.map((item) => `${item}!`));
    await turn();
  };
  const fail = async (index: number, error: Error): Promise<void> => {
    batches[index]?.fail(error);
    await turn();
  };
  return { queue, begun, end, batches, fail };
}

describe('BatchQueue', () => {
  it('starts an item immediately while a slot is free, and batches later items', async () => {
    const { queue, begun, end } = controlled();
    const runs = ['a', 'b', 'c', 'd', 'e'].map((item) => queue.run(item));
    expect(begun()).toEqual(['a', 'b']);
    await end(1);
    expect(begun()).toEqual(['a', 'b', 'c d e']);
    await end(0);
    await end(2);
    expect(await Promise.all(runs)).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
  });

  it('delays an item while a batch with one of its keys runs, and starts other items', async () => {
    const { queue, begun, end } = controlled({ concurrency: 3 });
    for (const item of ['a+1:x', 'a+2:x', '1+b:x', 'c', 'b', 'b+2:y']) void queue.run(item);
    expect(begun()).toEqual(['a+1:x', 'c']);
    await end(0);
    // In order of arrival: no item overtakes an earlier one with the same key.
    expect(begun()).toEqual(['a+1:x', 'c', 'a+2:x 1+b:x b b+2:y']);
  });

  it('keeps the order of items with a common key', async () => {
    const { queue, begun, end } = controlled({ concurrency: 2 });
    for (const item of ['a', 'a+b:1', 'b:2', 'd']) void queue.run(item);
    expect(begun()).toEqual(['a', 'd']);
    await end(1);
    expect(begun()).toEqual(['a', 'd']);
    await end(0);
    expect(begun()).toEqual(['a', 'd', 'a+b:1 b:2']);
  });

  it('puts items with a common key into separate batches, in order, with uniqueKeysPerBatch', async () => {
    const { queue, begun, end } = controlled({ concurrency: 2, uniqueKeysPerBatch: true });
    for (const item of ['a', 'b', 'c+d:1', 'd:2', 'd+e:3', 'e:4', 'f', 'c:5']) void queue.run(item);
    expect(begun()).toEqual(['a', 'b']);
    await end(0);
    // `e:4` could share the batch, but arrived after `d+e:3`, which waits for `d`.
    expect(begun()).toEqual(['a', 'b', 'c+d:1 f']);
    await end(1);
    expect(begun()).toHaveLength(3);
    await end(2);
    expect(begun().slice(3)).toEqual(['d:2 c:5']);
    await end(3);
    expect(begun().slice(4)).toEqual(['d+e:3']);
    await end(4);
    expect(begun().slice(5)).toEqual(['e:4']);
  });

  it('frees the slot of a stuck batch, but not its keys', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
    try {
      const { queue, begun, end } = controlled({ concurrency: 1, stuckAfterMs: 100 });
      for (const item of ['a:1', 'a:2', 'b', 'c']) void queue.run(item);
      jest.advanceTimersByTime(99);
      expect(begun()).toEqual(['a:1']);
      jest.advanceTimersByTime(1);
      expect(begun()).toEqual(['a:1', 'b c']);
      // `a:1` lost its slot to `b c`, so its end frees none.
      void queue.run('d');
      await end(0);
      expect(begun()).toEqual(['a:1', 'b c']);
      await end(1);
      expect(begun()).toEqual(['a:1', 'b c', 'a:2 d']);
      void queue.run('e');
      expect(begun()).toHaveLength(3);
    } finally {
      jest.useRealTimers();
    }
  });

  describe('when a batch fails and one item may be the cause', () => {
    const blame = (error: unknown): boolean => error instanceof RangeError;

    it('retries each item alone, in order, before the queued items', async () => {
      const { queue, begun, end, fail } = controlled({ concurrency: 2, isItemFailure: blame });
      const runs = ['x', 'y', 'a:1', 'b:1', 'a:2'].map((item) => queue.run(item));
      const ends = Promise.allSettled(runs);
      await end(0);
      expect(begun().slice(2)).toEqual(['a:1 b:1 a:2']);
      for (const item of ['a:3', 'c', 'b:2']) void queue.run(item);
      await end(1);
      expect(begun().slice(3)).toEqual(['c']);
      await fail(2, new RangeError('one of you'));
      // `a:1` is running, and `a:2` waits for it, so `b:1` is next.
      expect(begun().slice(4)).toEqual(['a:1']);
      await end(3);
      expect(begun().slice(5)).toEqual(['b:1']);
      await fail(4, new RangeError('you'));
      expect(begun().slice(6)).toEqual(['a:2']);
      await end(5);
      expect(begun().slice(7)).toEqual(['b:2']);
      await end(6);
      expect(begun().slice(8)).toEqual(['a:3']);
      expect(await ends).toMatchObject([
        { value: 'x!' },
        { value: 'y!' },
        { reason: new RangeError('you') },
        { value: 'b:1!' },
        { value: 'a:2!' },
      ]);
    });

    it('rejects all items when no item can be the cause', async () => {
      const { queue, begun, end, fail } = controlled({ concurrency: 1, isItemFailure: blame });
      const runs = Promise.allSettled(['x', 'a', 'b'].map((item) => queue.run(item)));
      await end(0);
      await fail(1, new TypeError('nobody'));
      expect(await runs).toMatchObject([
        { value: 'x!' },
        { reason: new TypeError('nobody') },
        { reason: new TypeError('nobody') },
      ]);
      expect(begun()).toEqual(['x', 'a b']);
    });

    it('rejects items that have waited for maxWaitMs by then', async () => {
      const now = jest.spyOn(performance, 'now').mockReturnValue(0);
      const { queue, begun, end, fail } = controlled({ concurrency: 1, isItemFailure: blame });
      const runs = Promise.allSettled(['x', 'a', 'b'].map((item) => queue.run(item)));
      await end(0);
      now.mockReturnValue(MAX_WAIT_MS);
      await fail(1, new RangeError('one of you'));
      expect(await runs).toMatchObject([
        { value: 'x!' },
        { reason: new BusinessError('UNAVAILABLE') },
        { reason: new BusinessError('UNAVAILABLE') },
      ]);
      expect(begun()).toEqual(['x', 'a b']);
    });
  });

  it('starts an item immediately after the last batch has ended', async () => {
    const { queue, begun, end } = controlled();
    void queue.run('a');
    await end(0);
    void queue.run('a');
    expect(begun()).toEqual(['a', 'a']);
  });

  it('waits lingerMs after a batch, so that the next items share one', async () => {
    const { queue, begun, end } = controlled({ concurrency: 1, lingerMs: 200 });
    const first = queue.run('a');
    await end(0);
    expect(await first).toBe('a!');
    void queue.run('b');
    await new Promise(setImmediate);
    void queue.run('c');
    expect(begun()).toEqual(['a']);
    while (begun().length < 2) await new Promise(setImmediate);
    expect(begun()).toEqual(['a', 'b c']);
  });

  it('rejects items that have waited for maxWaitMs', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { queue, begun, end } = controlled({ concurrency: 1 });
    void queue.run('a');
    const late = [queue.run('b'), queue.run('c')].map((run) => expect(run).rejects.toThrow('服务暂不可用'));
    clock.mockReturnValue(500);
    const last = queue.run('d');
    clock.mockReturnValue(MAX_WAIT_MS);
    await end(0);
    await Promise.all(late);
    expect(begun()).toEqual(['a', 'd']);
    await end(1);
    expect(await last).toBe('d!');
    clock.mockRestore();
  });

  it('runs at most 64 items per batch, in order', async () => {
    const { queue, batches, end } = controlled({ concurrency: 1 });
    const runs = Array.from({ length: 131 }, (_, index) => queue.run(`a:${index}`));
    for (const index of [0, 1, 2, 3]) await end(index);
    expect((await Promise.all(runs)).at(-1)).toBe('a:130!');
    expect(batches.map(({ items }) => items.length)).toEqual([1, 64, 64, 2]);
    expect(batches.flatMap(({ items }) => items)).toEqual(
      Array.from({ length: 131 }, (_, index) => `a:${index}`),
    );
  });

  it('runs at most 20,000 of total size per batch, unless a single item is larger', async () => {
    const { queue, batches, end } = controlled({ concurrency: 1 });
    for (const weight of [2, 10_000, 10_000, 2, 30_000, 5, 5]) void queue.run(`a:${'x'.repeat(weight - 2)}`);
    for (const index of [0, 1, 2, 3, 4]) await end(index);
    expect(batches.map(({ items }) => items.map((item) => item.length))).toEqual([
      [2],
      [10_000, 10_000],
      [2],
      [30_000],
      [5, 5],
    ]);
  });

  it('rejects one item with its error and resolves the others', async () => {
    const { queue, end } = controlled({ concurrency: 1 });
    const results = Promise.allSettled(['a', 'b', 'c'].map((item) => queue.run(item)));
    await end(0);
    await end(1, [new Error('not you'), 'c!']);
    expect(await results).toMatchObject([{ value: 'a!' }, { reason: new Error('not you') }, { value: 'c!' }]);
  });

  it('rejects all items of a failed batch and continues with the next batch', async () => {
    const { queue, begun, end, fail } = controlled({ concurrency: 1 });
    const results = Promise.allSettled(['a', 'b', 'c'].map((item) => queue.run(item)));
    await end(0);
    const last = queue.run('d');
    await fail(1, new Error('gone'));
    await end(2);
    expect(await results).toMatchObject([
      { value: 'a!' },
      { reason: new Error('gone') },
      { reason: new Error('gone') },
    ]);
    expect([begun().at(-1), await last]).toEqual(['d', 'd!']);
  });

  it('rejects an item when 2,000 are queued', async () => {
    const { queue } = controlled({ concurrency: 1 });
    for (let index = 0; index <= 2_000; index += 1) void queue.run(`a:${index}`);
    await expect(queue.run('one more')).rejects.toMatchObject({ key: 'UNAVAILABLE' });
  });
});
