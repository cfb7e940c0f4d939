import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { trimKeys } from './idempotency-keys.store';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;
const RETENTION_SECONDS = 7 * 24 * 3_600;

/** Deletes idempotency keys after seven days, in small batches. Safe to run on several instances at the same time. */
@Injectable()
export class IdempotencyRetention {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Deletes all expired keys. */
  @Periodic({
    name: 'creation_key_retention',
    everyMs: INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to delete expired idempotency keys, retrying on the next run',
  })
  async trim(stopping?: AbortSignal): Promise<void> {
    const horizon = plusSeconds(this.clock.now(), -RETENTION_SECONDS);
    await repeatWhile(() => trimKeys(this.dataSource, horizon, BATCH_SIZE), stopping);
  }
}
