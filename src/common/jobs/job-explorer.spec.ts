import { type DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Config } from '../../config/config';
import { Workers } from '../../workers/workers';
import { JobExplorer, jobsIn } from './job-explorer';
import { Periodic } from './periodic.decorator';

class Gardener {
  readonly done: string[] = [];
  stopping?: AbortSignal;

  @Periodic({ name: 'mowing', everyMs: 1_000, onFailure: 'The grass grows on' })
  async mow(stopping: AbortSignal): Promise<void> {
    this.stopping = stopping;
    this.done.push('mow');
  }

  @Periodic({ name: 'raking', everyMs: 1_500, oncePerInstance: true, onFailure: 'The leaves lie on' })
  async rake(): Promise<void> {
    this.done.push('rake');
  }

  async sow(): Promise<void> {
    this.done.push('sow');
  }
}

describe('JobExplorer', () => {
  const config = { auditRetentionDays: 0 } as Config;
  const explore = (instances: unknown[], workers = new Workers()) => {
    const discovery = {
      getProviders: () => instances.map((instance) => ({ instance })),
    } as unknown as DiscoveryService;
    return {
      discovery,
      explorer: new JobExplorer(discovery, new MetadataScanner(), new Reflector(), workers, config),
    };
  };
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('runs the @Periodic methods of providers at their intervals until the module is destroyed', async () => {
    const gardener = new Gardener();
    const { explorer } = explore([undefined, null, 'text', {}, gardener]);
    explorer.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(gardener.done).toEqual(['mow', 'rake', 'mow']);
    expect(gardener.stopping?.aborted).toBe(false);
    await explorer.onModuleDestroy();
    expect(gardener.stopping?.aborted).toBe(true);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(gardener.done).toEqual(['mow', 'rake', 'mow']);
  });

  it('waits for the running job when the module is destroyed', async () => {
    const gardener = new Gardener();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { explorer } = explore([gardener]);
    explorer.onApplicationBootstrap();
    jest.spyOn(gardener, 'mow').mockReturnValue(promise);
    await jest.advanceTimersByTimeAsync(1_000);
    let hasStopped = false;
    const stop = explorer.onModuleDestroy().then(() => (hasStopped = true));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(hasStopped).toBe(false);
    resolve();
    await stop;
  });

  it('creates the jobs of a provider once when an alias lists it twice', () => {
    const gardener = new Gardener();
    const { discovery, explorer } = explore([gardener, gardener]);
    explorer.onApplicationBootstrap();
    expect(jobsIn(discovery).map(({ name, health }) => [name, health.status])).toEqual([
      ['mowing', 'up'],
      ['raking', 'up'],
    ]);
  });

  it('runs the jobs that are made once per instance on the first worker only', async () => {
    const doneBy = async (number: number): Promise<string[]> => {
      const gardener = new Gardener();
      const { explorer } = explore([gardener], { isFirst: number === 1 } as Workers);
      explorer.onApplicationBootstrap();
      await jest.advanceTimersByTimeAsync(1_500);
      await explorer.onModuleDestroy();
      return gardener.done;
    };
    expect([await doneBy(1), await doneBy(2)]).toEqual([['mow', 'rake'], ['mow']]);
  });

  it('leaves a job off that the configuration disables', () => {
    class Trimmer {
      @Periodic({
        name: 'trimming',
        everyMs: 1_000,
        isEnabled: ({ auditRetentionDays }) => auditRetentionDays > 0,
        onFailure: 'The hedge grows on',
      })
      async trim(): Promise<void> {}
    }
    const { discovery, explorer } = explore([new Trimmer()]);
    explorer.onApplicationBootstrap();
    expect(jobsIn(discovery).map(({ name, health }) => [name, health.status])).toEqual([['trimming', 'off']]);
  });

  it('runs no job before the application has started', () => {
    const { discovery } = explore([new Gardener()]);
    expect(jobsIn(discovery)).toEqual([]);
  });
});
