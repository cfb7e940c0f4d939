import { Logger } from '@nestjs/common';
import { jobsOf, PeriodicJob } from './periodic-job';

class Gardener {}

describe('PeriodicJob', () => {
  let warn: jest.SpyInstance;
  beforeEach(() => {
    jest.useFakeTimers();
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });
  afterEach(() => {
    jest.useRealTimers();
    warn.mockRestore();
  });

  const jobOf = (run: (stopping: AbortSignal) => Promise<void>): PeriodicJob =>
    new PeriodicJob(new Gardener(), { name: 'mowing', everyMs: 1_000, run, onFailure: 'The grass grows on' });

  it('runs after each interval until it is stopped', async () => {
    const run = jest.fn(async () => undefined);
    const job = jobOf(run);
    job.start();
    await jest.advanceTimersByTimeAsync(999);
    expect(run).toHaveBeenCalledTimes(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(run).toHaveBeenCalledTimes(4);
    await job.stop();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(run).toHaveBeenCalledTimes(4);
  });

  it('does not start a run while another one is running', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const run = jest.fn(() => promise);
    const job = jobOf(run);
    job.start();
    await jest.advanceTimersByTimeAsync(5_500);
    expect(run).toHaveBeenCalledTimes(1);
    resolve();
    await jest.advanceTimersByTimeAsync(500);
    expect(run).toHaveBeenCalledTimes(2);
    await job.stop();
  });

  it('logs a failure and runs again', async () => {
    const run = jest.fn(async () => undefined);
    run.mockRejectedValueOnce(new Error('no scythe'));
    const job = jobOf(run);
    job.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(warn.mock.calls).toEqual([['The grass grows on: Error: no scythe']]);
    expect(run).toHaveBeenCalledTimes(2);
    await job.stop();
  });

  it('passes an abort signal on stop, and waits for the running job', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let stopping: AbortSignal | undefined;
    const job = jobOf((signal) => {
      stopping = signal;
      return promise;
    });
    job.start();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(stopping?.aborted).toBe(false);
    let hasStopped = false;
    const stop = job.stop().then(() => (hasStopped = true));
    await jest.advanceTimersByTimeAsync(1_000);
    expect([stopping?.aborted, hasStopped]).toEqual([true, false]);
    resolve();
    await stop;
  });

  it('reports its health', async () => {
    jest.setSystemTime(new Date('2026-01-31T08:00:00.000Z'));
    const run = jest.fn(async () => undefined);
    const job = jobOf(run);
    const nothing = { lastSuccessAt: null, lastErrorAt: null, lastError: null };
    expect(job.health).toEqual({ status: 'off', ...nothing });
    job.start();
    expect(job.health).toEqual({ status: 'up', ...nothing });
    run.mockRejectedValueOnce(new Error('no scythe'));
    await jest.advanceTimersByTimeAsync(1_000);
    const failure = { lastErrorAt: new Date('2026-01-31T08:00:01.000Z'), lastError: 'Error: no scythe' };
    expect(job.health).toEqual({ status: 'down', lastSuccessAt: null, ...failure });
    await jest.advanceTimersByTimeAsync(1_000);
    const lastSuccessAt = new Date('2026-01-31T08:00:02.000Z');
    expect(job.health).toEqual({ status: 'up', lastSuccessAt, ...failure });
    await job.stop();
    expect(job.health).toEqual({ status: 'off', lastSuccessAt, ...failure });
  });

  it('reports down while a run takes longer than a minute', async () => {
    jest.setSystemTime(new Date('2026-01-31T08:00:00.000Z'));
    const { promise, resolve } = Promise.withResolvers<void>();
    const job = jobOf(() => promise);
    job.start();
    await jest.advanceTimersByTimeAsync(61_000);
    expect(job.health.status).toBe('up');
    await jest.advanceTimersByTimeAsync(1);
    expect(job.health).toMatchObject({
      status: 'down',
      lastError: 'The run started at 2026-01-31T08:00:01.000Z has not finished',
    });
    resolve();
    await jest.advanceTimersByTimeAsync(0);
    expect(job.health.status).toBe('up');
    await job.stop();
  });

  it('is returned by jobsOf for its owner', () => {
    const owner = new Gardener();
    const job = (name: string) =>
      new PeriodicJob(owner, { name, everyMs: 1_000, run: async () => undefined, onFailure: '' });
    const both = [job('mowing'), job('raking')];
    expect(jobsOf(owner)).toEqual(both);
    expect(jobsOf(owner).map(({ name }) => name)).toEqual(['mowing', 'raking']);
    expect(jobsOf(new Gardener())).toEqual([]);
  });

  it('stops without having been started', async () => {
    await jobOf(async () => undefined).stop();
  });

  it('does not keep the process alive', async () => {
    jest.useRealTimers();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const job = jobOf(async () => undefined);
    job.start();
    expect(timers()).toBe(before);
    await job.stop();
  });
});
