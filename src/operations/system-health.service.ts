import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Clock } from '../common/clock';
import { Health, type HealthReport } from '../common/health/health';
import { jobsIn } from '../common/jobs/job-explorer';
import { Workers } from '../workers/workers';
import { worstOf } from './rules/worst-health.rules';
import { type HealthItemResponse, toHealthItemResponse } from './dto/system.dto';

/** Name of the contribution of each worker. */
const HEALTH = 'health';

/** Collects the health of the parts of the service and of the periodic jobs of this instance (API 15.4). */
@Injectable()
export class SystemHealthService {
  constructor(
    private readonly health: Health,
    private readonly discovery: DiscoveryService,
    private readonly clock: Clock,
    private readonly workers: Workers,
  ) {
    workers.contribute(HEALTH, () => this.#ownItems());
  }

  /** Returns the parts, then the jobs, each ordered by name and with the worst state of all workers. */
  async items(): Promise<HealthItemResponse[]> {
    return worstOf(await this.workers.collect<HealthItemResponse[]>(HEALTH));
  }

  async #ownItems(): Promise<HealthItemResponse[]> {
    const parts = Array.from(await this.health.reports());
    const jobs = jobsIn(this.discovery).map((job): [string, HealthReport] => [
      job.name,
      this.#corrected(job.health),
    ]);
    return [parts, jobs].flatMap((group) =>
      group
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, report]) => toHealthItemResponse(name, report)),
    );
  }

  /** Converts the times of a job from the machine's clock to the database's, which responses use. */
  #corrected({ status, lastError, ...times }: HealthReport): HealthReport {
    const corrected = (time: Date | null): Date | null =>
      time && new Date(time.getTime() + this.clock.correctionMs);
    return {
      status,
      lastError,
      lastSuccessAt: corrected(times.lastSuccessAt),
      lastErrorAt: corrected(times.lastErrorAt),
    };
  }
}
