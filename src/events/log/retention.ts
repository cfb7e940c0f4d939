import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { EventLog } from './event-log';
import { trimEvents, trimPayloads } from './event-trim';

const TRIM_INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;

/** Deletes events older than `EVENT_RETENTION_HOURS` in batches. Safe to run on several instances at the same time. */
@Injectable()
export class EventRetention {
  constructor(
    private readonly log: EventLog,
    private readonly dataSource: DataSource,
  ) {}

  /** Deletes all expired events, and the texts that they shared. */
  @Periodic({
    name: 'event_retention',
    everyMs: TRIM_INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to delete expired events, retrying on the next run',
  })
  async trim(stopping?: AbortSignal): Promise<void> {
    const { horizon } = this.log;
    // Shared texts last: no event of that age is left to refer to them.
    for (const trimBatch of [trimEvents, trimPayloads])
      await repeatWhile(
        async () => (await trimBatch(this.dataSource, horizon, BATCH_SIZE)) === BATCH_SIZE,
        stopping,
      );
  }
}
