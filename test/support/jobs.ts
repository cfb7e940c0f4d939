import { DiscoveryService } from '@nestjs/core';
import { type PeriodicJob, jobsOf } from '../../src/common/jobs/periodic-job';
import type { TestApp } from './test-app';

/**
 * Stops the background jobs of applications, for tests that run them explicitly: jobs follow the machine's clock and
 * could interfere.
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
