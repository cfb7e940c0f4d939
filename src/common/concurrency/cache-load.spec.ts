import { cacheLoad } from './cache-load';

describe('cacheLoad', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const counter = (maxAgeMs: number): (() => Promise<number>) => {
    let count = 0;
    return cacheLoad(
      () => Promise.resolve((count += 1)),
      () => maxAgeMs,
    );
  };

  it('shares one load between concurrent calls and caches it for maxAgeMs', async () => {
    const ask = counter(1_000);
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    jest.advanceTimersByTime(999);
    expect(await ask()).toBe(1);
    jest.advanceTimersByTime(1);
    expect(await ask()).toBe(2);
  });

  it('loads each time when maxAgeMs is 0', async () => {
    const ask = counter(0);
    expect([await ask(), await ask()]).toEqual([1, 2]);
  });

  it('loads again after a failure', async () => {
    const answers = [Promise.reject(new Error('away')), Promise.resolve('there')];
    const ask = cacheLoad(
      () => answers.shift() as Promise<string>,
      () => 1_000,
    );
    await expect(ask()).rejects.toThrow('away');
    expect(await ask()).toBe('there');
  });
});
