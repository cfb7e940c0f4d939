import { DiscoveryService } from '@nestjs/core';
import { jobsIn } from '../../src/common/jobs/job-explorer';
import type { PeriodicJob } from '../../src/common/jobs/periodic-job';
import type { TestApp } from './test-app';

/**
 * Stops the background jobs of applications, for tests that run them explicitly: jobs follow the machine's clock and
 * could interfere.
 */
export async function stopJobs(...apps: Pick<TestApp, 'app'>[]): Promise<void> {
  await Promise.all(apps.flatMap(periodicJobsOf).map((job) => job.stop()));
}

/** Stops one background job of an application, for tests that need the others. */
export async function stopJob(test: Pick<TestApp, 'app'>, name: string): Promise<void> {
  const jobs = periodicJobsOf(test).filter((job) => job.name === name);
  if (jobs.length === 0) throw new Error(`No job is named ${name}`);
  await Promise.all(jobs.map((job) => job.stop()));
}

const periodicJobsOf = ({ app }: Pick<TestApp, 'app'>): PeriodicJob[] =>
  jobsIn(app.get(DiscoveryService, { strict: false }));
