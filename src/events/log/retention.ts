import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PeriodicJob, repeatWhile } from '../../common/concurrency/periodic-job';
import { EventLog } from './event-log';
import { trimEvents, trimPayloads } from './event-trim';

const TRIM_INTERVAL_MS = 60_000;
const BATCH = 500;

/** Deletes events that have outlived `EVENT_RETENTION_HOURS`, in small batches. Every instance does; none minds. */
@Injectable()
export class EventRetention implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #job = new PeriodicJob(this, {
    name: 'event_retention',
    everyMs: TRIM_INTERVAL_MS,
    run: (stopping) => this.trim(stopping),
    onFailure: 'Old events stay until the next time',
  });

  constructor(
    private readonly log: EventLog,
    private readonly dataSource: DataSource,
  ) {}

  onApplicationBootstrap(): void {
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /** Deletes everything that is too old. */
  async trim(stopping?: AbortSignal): Promise<void> {
    const { horizon } = this.log;
    // What events share goes last: no event that is as old is left then to refer to it.
    for (const trimBatch of [trimEvents, trimPayloads])
      await repeatWhile(async () => (await trimBatch(this.dataSource, horizon, BATCH)) === BATCH, stopping);
  }
}
