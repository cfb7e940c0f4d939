import { Logger } from '@nestjs/common';
import { PeriodicJob } from './periodic-job';

describe('A periodic job', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  beforeEach(() => {
    jest.useFakeTimers();
    warn.mockClear();
  });
  afterEach(() => jest.useRealTimers());
  afterAll(() => warn.mockRestore());

  const jobOf = (run: (stopping: AbortSignal) => Promise<void>): PeriodicJob =>
    new PeriodicJob({ context: 'Gardener', everyMs: 1_000, run, onFailure: 'The grass grows on' });

  it('runs after each interval, until it is stopped', async () => {
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

  it('never runs twice at a time', async () => {
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

  it('says what failed, and runs again', async () => {
    const run = jest.fn(async () => undefined);
    run.mockRejectedValueOnce(new Error('no scythe'));
    const job = jobOf(run);
    job.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(warn.mock.calls).toEqual([['The grass grows on: Error: no scythe']]);
    expect(run).toHaveBeenCalledTimes(2);
    await job.stop();
  });

  it('is told that the service stops, which waits for the run under way', async () => {
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

  it('can be stopped without having been started', async () => {
    await jobOf(async () => undefined).stop();
  });

  it('keeps no process alive', async () => {
    jest.useRealTimers();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const job = jobOf(async () => undefined);
    job.start();
    expect(timers()).toBe(before);
    await job.stop();
  });
});
