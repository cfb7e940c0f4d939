import { sharedFor } from './metrics';

describe('sharedFor', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const counter = (maxAgeMs: number): (() => Promise<number>) => {
    let count = 0;
    return sharedFor(maxAgeMs, () => Promise.resolve((count += 1)));
  };

  it('returns one answer to all who ask while it is made and for maxAgeMs after', async () => {
    const ask = counter(1_000);
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    jest.advanceTimersByTime(999);
    expect(await ask()).toBe(1);
    jest.advanceTimersByTime(1);
    expect(await ask()).toBe(2);
  });

  it('asks each time when maxAgeMs is 0', async () => {
    const ask = counter(0);
    expect([await ask(), await ask()]).toEqual([1, 2]);
  });

  it('asks anew after a failure', async () => {
    const answers = [Promise.reject(new Error('away')), Promise.resolve('there')];
    const ask = sharedFor(1_000, () => answers.shift() as Promise<string>);
    await expect(ask()).rejects.toThrow('away');
    expect(await ask()).toBe('there');
  });
});
