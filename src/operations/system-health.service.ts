import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Clock } from '../common/clock';
import { jobsOf, type PeriodicJob } from '../common/concurrency/periodic-job';
import { Health, type HealthReport } from '../common/health/health';
import { type HealthItemResponse, toHealthItemResponse } from './dto/system.dto';

/** How the parts of the service stand, and what this instance does by itself again and again (contract 14.5). */
@Injectable()
export class SystemHealthService {
  constructor(
    private readonly health: Health,
    private readonly discovery: DiscoveryService,
    private readonly clock: Clock,
  ) {}

  /** The parts, then the jobs, each by name. */
  async items(): Promise<HealthItemResponse[]> {
    const parts = Array.from(await this.health.reports());
    const jobs = this.#jobs().map((job): [string, HealthReport] => [job.name, this.#corrected(job.health)]);
    return [parts, jobs].flatMap((some) =>
      some
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, report]) => toHealthItemResponse(name, report)),
    );
  }

  /** Those of everything that this application is made of. */
  #jobs(): PeriodicJob[] {
    const instances = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    const objects = new Set(instances.filter((one) => typeof one === 'object' && one !== null));
    return [...objects].flatMap((one) => jobsOf(one));
  }

  /** Jobs go by the machine's clock, and answers by the database's. */
  #corrected({ status, lastError, ...times }: HealthReport): HealthReport {
    const moved = (moment: Date | null): Date | null =>
      moment && new Date(moment.getTime() + this.clock.correctionMs);
    return {
      status,
      lastError,
      lastSuccessAt: moved(times.lastSuccessAt),
      lastErrorAt: moved(times.lastErrorAt),
    };
  }
}
