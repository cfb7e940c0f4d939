import { DiscoveryService } from '@nestjs/core';
import { jobsIn } from '../../src/common/jobs/job-explorer';
import type { TestApp } from './test-app';

/**
 * Stops the background jobs of applications, for tests that run them explicitly: jobs follow the machine's clock and
 * could interfere.
 */
export async function stopJobs(...apps: Pick<TestApp, 'app'>[]): Promise<void> {
  const jobs = apps.flatMap(({ app }) => jobsIn(app.get(DiscoveryService, { strict: false })));
  await Promise.all(jobs.map((job) => job.stop()));
}
