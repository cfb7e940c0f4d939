import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { CONFIG, type Config } from '../../config/config';
import { Workers } from '../../workers/workers';
import { type JobMethod, jobsOf, PeriodicJob } from './periodic-job';
import { PeriodicSchedule } from './periodic.decorator';

/**
 * Runs the `@Periodic` methods of all providers. Must be a provider of the root module: its hooks run last at the start
 * and first at the shutdown, so an `onModuleDestroy` hook of another provider can rely on its jobs having ended.
 */
@Injectable()
export class JobExplorer implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #jobs: PeriodicJob[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly workers: Workers,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.#jobs.push(...instancesIn(this.discovery).flatMap((provider) => this.#createJobs(provider)));
    for (const job of this.#jobs) {
      const { oncePerInstance, isEnabled } = job.schedule;
      if ((this.workers.isFirst || !oncePerInstance) && isEnabled?.(this.config) !== false) job.start();
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#jobs.map((job) => job.stop()));
  }

  #createJobs(provider: object): PeriodicJob[] {
    const methods = this.scanner.getAllMethodNames(Object.getPrototypeOf(provider) as object | null);
    return methods.flatMap((name) => {
      const method = (): JobMethod => Reflect.get(provider, name) as JobMethod;
      const schedule = this.reflector.get(PeriodicSchedule, method());
      const run: JobMethod = (stopping) => method().call(provider, stopping);
      return schedule === undefined ? [] : [new PeriodicJob(provider, { ...schedule, run })];
    });
  }
}

/** Returns the periodic jobs of all providers. */
export const jobsIn = (discovery: DiscoveryService): PeriodicJob[] => instancesIn(discovery).flatMap(jobsOf);

/** Returns the instances of all providers. An alias shares the instance of its provider, which is returned once. */
function instancesIn(discovery: DiscoveryService): object[] {
  const instances = discovery.getProviders().map(({ instance }) => instance as unknown);
  return [...new Set(instances)].filter((instance) => typeof instance === 'object' && instance !== null);
}
