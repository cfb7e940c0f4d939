import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairLimit, QueueFull } from './fair-limit';

describe('FairLimit', () => {
  /** Creates a limit with tasks that are ended one by one, and records the order in which they start. */
  const open = (concurrency: number, maxWaiting: number) => {
    const limit = new FairLimit(concurrency, maxWaiting);
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const run = (name: string, shares: string[] = []): Promise<string> =>
      limit.run(async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      }, shares);
    const finishAll = async (): Promise<void> => {
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
        end();
        await nextTurn();
      }
    };
    return { run, started, finishAll };
  };

  it('runs tasks without shares in order of arrival, a few at a time', async () => {
    const { run, started, finishAll } = open(2, 10);
    const results = Promise.all(['a', 'b', 'c', 'd'].map((name) => run(name)));
    await nextTurn();
    expect(started).toEqual(['a', 'b']);
    await finishAll();
    expect(await results).toEqual(['a', 'b', 'c', 'd']);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('serves a newcomer before the second task of an address with many', async () => {
    const { run, started, finishAll } = open(1, 100);
    const flood = Array.from({ length: 50 }, (_, index) =>
      run(`flood ${index}`, ['address 1', `account ${index}`]),
    );
    await nextTurn();
    const user = run('user', ['address 2', 'account of the user']);
    await finishAll();
    await Promise.all([...flood, user]);
    expect(started.slice(0, 4)).toEqual(['flood 0', 'user', 'flood 1', 'flood 2']);
  });

  it('serves a newcomer before the second task for an account that many addresses request', async () => {
    const { run, started, finishAll } = open(1, 100);
    const flood = Array.from({ length: 50 }, (_, index) =>
      run(`flood ${index}`, [`address ${index}`, 'account 1']),
    );
    await nextTurn();
    const user = run('user', ['address of the user', 'account 2']);
    await finishAll();
    await Promise.all([...flood, user]);
    expect(started.slice(0, 4)).toEqual(['flood 0', 'user', 'flood 1', 'flood 2']);
  });

  it('replaces the task with the most tasks ahead of it by a newcomer when the queue is full', async () => {
    const { run, started, finishAll } = open(1, 3);
    const flood = Array.from({ length: 5 }, (_, index) => run(`flood ${index}`, ['address 1']));
    const outcomes = Promise.allSettled(flood);
    const user = run('user', ['address 2']);
    await nextTurn();
    await finishAll();
    expect(await user).toBe('user');
    const refused = (await outcomes).map(
      (outcome) => outcome.status === 'rejected' && outcome.reason instanceof QueueFull,
    );
    expect(refused).toEqual([false, false, true, true, true]);
    expect(started).toEqual(['flood 0', 'user', 'flood 1']);
  });

  it('passes on the error of a task and continues', async () => {
    const limit = new FairLimit(1, 1);
    await expect(limit.run(() => Promise.reject(new Error('no salt')))).rejects.toThrow('no salt');
    expect(await limit.run(async () => 'next')).toBe('next');
  });
});
