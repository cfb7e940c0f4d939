import { cacheByCost } from './cache-load';

describe('cacheByCost', () => {
  let now = 0;
  let asked = 0;
  let take = 0;
  let fails = false;
  beforeEach(() => {
    [now, asked, take, fails] = [1_000, 0, 0, false];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  const ask = async (): Promise<number> => {
    asked += 1;
    await Promise.resolve();
    now += take;
    if (fails) throw new Error('gone');
    return asked;
  };

  it('calls a fast function each time', async () => {
    const answer = cacheByCost(ask);
    take = 19;
    expect([await answer(), await answer()]).toEqual([1, 2]);
  });

  it('caches a result for 100 times its duration, at most a minute', async () => {
    const answer = cacheByCost(ask);
    take = 50;
    await answer();
    now += 4_999;
    expect(await answer()).toBe(1);
    now += 1;
    take = 5_000;
    expect(await answer()).toBe(2);
    now += 59_999;
    expect(await answer()).toBe(2);
    now += 1;
    expect(await answer()).toBe(3);
  });

  it('shares one call between concurrent callers', async () => {
    const answer = cacheByCost(ask);
    expect(await Promise.all([answer(), answer()])).toEqual([1, 1]);
  });

  it('does not cache a failure', async () => {
    const answer = cacheByCost(ask);
    [take, fails] = [1_000, true];
    await expect(answer()).rejects.toThrow('gone');
    fails = false;
    expect(await answer()).toBe(2);
  });
});
