import { DiscoveryService } from '@nestjs/core';
import { type PeriodicJob, jobsOf } from '../../src/common/concurrency/periodic-job';
import type { TestApp } from './test-app';

/**
 * From now on applications do nothing by themselves, for tests that say when something is done: what they do now and then
 * goes by the machine's clock, and might come in between.
 */
export async function stopJobs(...apps: Pick<TestApp, 'app'>[]): Promise<void> {
  await Promise.all(apps.flatMap((one) => jobsIn(one)).map((job) => job.stop()));
}

function jobsIn({ app }: Pick<TestApp, 'app'>): PeriodicJob[] {
  const instances = app
    .get(DiscoveryService, { strict: false })
    .getProviders()
    .map(({ instance }) => instance as unknown);
  const objects = new Set(instances.filter((one) => typeof one === 'object' && one !== null));
  return [...objects].flatMap((one) => jobsOf(one));
}
