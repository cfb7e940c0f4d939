import { KeyedBatchQueue } from './keyed-batch-queue';

const PATIENCE_MS = 1_000;

/** A queue whose batches the test ends, in the order in which they began. */
function controlled() {
  const batches: {
    key: number;
    items: string[];
    end: (results: (string | Error)[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const queue = new KeyedBatchQueue<string, string>(
    PATIENCE_MS,
    (key, items) => {
      const { promise, resolve, reject } = Promise.withResolvers<(string | Error)[]>();
      batches.push({ key, items, end: resolve, fail: reject });
      return promise;
    },
    (item) => item.length,
  );
  const begun = (): [number, string][] => batches.map(({ key, items }) => [key, items.join(' ')]);
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
  it('begins with the first item at once, and lets those that come meanwhile share the next batch', async () => {
    const { queue, begun, end } = controlled();
    const first = queue.run(1, 'a');
    expect(begun()).toEqual([[1, 'a']]);
    const others = [queue.run(1, 'b'), queue.run(1, 'c'), queue.run(1, 'd')];
    expect(begun()).toEqual([[1, 'a']]);
    await end(0);
    expect(await first).toBe('a!');
    expect(begun()).toEqual([
      [1, 'a'],
      [1, 'b c d'],
    ]);
    await end(1);
    expect(await Promise.all(others)).toEqual(['b!', 'c!', 'd!']);
  });

  it('is idle again after the last', async () => {
    const { queue, begun, end } = controlled();
    void queue.run(1, 'a');
    await end(0);
    void queue.run(1, 'b');
    expect(begun()).toEqual([
      [1, 'a'],
      [1, 'b'],
    ]);
  });

  it('does not serve those who have waited too long', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { queue, begun, end } = controlled();
    void queue.run(1, 'a');
    const late = [queue.run(1, 'b'), queue.run(1, 'c')].map((run) =>
      expect(run).rejects.toThrow('服务暂不可用'),
    );
    clock.mockReturnValue(500);
    const last = queue.run(1, 'd');
    clock.mockReturnValue(PATIENCE_MS);
    await end(0);
    await Promise.all(late);
    expect(begun()).toEqual([
      [1, 'a'],
      [1, 'd'],
    ]);
    await end(1);
    expect(await last).toBe('d!');
    void queue.run(1, 'e');
    expect(begun()).toHaveLength(3);
    clock.mockRestore();
  });

  it('lets no key wait for another', () => {
    const { queue, begun } = controlled();
    void queue.run(1, 'a');
    void queue.run(2, 'b');
    expect(begun()).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  it('takes 64 at a time, in their order', async () => {
    const { queue, batches, end } = controlled();
    const runs = Array.from({ length: 131 }, (_, index) => queue.run(1, `${index}`));
    for (const index of [0, 1, 2, 3]) await end(index);
    expect((await Promise.all(runs)).at(-1)).toBe('130!');
    expect(batches.map(({ items }) => items.length)).toEqual([1, 64, 64, 2]);
    expect(batches.flatMap(({ items }) => items)).toEqual(
      Array.from({ length: 131 }, (_, index) => `${index}`),
    );
  });

  it('takes no more than 20,000 of weight, unless one item alone is heavier', async () => {
    const { queue, batches, end } = controlled();
    for (const weight of [1, 10_000, 10_000, 1, 30_000, 5, 5]) void queue.run(1, 'x'.repeat(weight));
    for (const index of [0, 1, 2, 3, 4]) await end(index);
    expect(batches.map(({ items }) => items.map((item) => item.length))).toEqual([
      [1],
      [10_000, 10_000],
      [1],
      [30_000],
      [5, 5],
    ]);
  });

  it('gives an item its own error, and the others their answers', async () => {
    const { queue, end } = controlled();
    const results = Promise.allSettled(['a', 'b', 'c'].map((item) => queue.run(1, item)));
    await end(0);
    await end(1, [new Error('not you'), 'c!']);
    expect(await results).toMatchObject([{ value: 'a!' }, { reason: new Error('not you') }, { value: 'c!' }]);
  });

  it('fails a batch as a whole, and goes on with the next', async () => {
    const { queue, begun, end, fail } = controlled();
    const results = Promise.allSettled(['a', 'b', 'c'].map((item) => queue.run(1, item)));
    await end(0);
    const last = queue.run(1, 'd');
    await fail(1, new Error('gone'));
    await end(2);
    expect(await results).toMatchObject([
      { value: 'a!' },
      { reason: new Error('gone') },
      { reason: new Error('gone') },
    ]);
    expect([begun().at(-1), await last]).toEqual([[1, 'd'], 'd!']);
  });

  it('refuses more than 2,000 that wait', async () => {
    const { queue } = controlled();
    for (let index = 0; index <= 2_000; index += 1) void queue.run(1, `${index}`);
    await expect(queue.run(1, 'one more')).rejects.toMatchObject({ key: 'UNAVAILABLE' });
  });
});
