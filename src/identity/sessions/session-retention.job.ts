import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual } from 'typeorm';
import { Clock } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Transactions } from '../../database/transactions';
import { RefreshTokenEntity } from '../entities/refresh-token.entity';
import { SessionEntity } from '../entities/session.entity';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;

/** Deletes expired refresh tokens and sessions in batches. Safe to run on several instances at the same time. */
@Injectable()
export class SessionRetention {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Deletes all expired refresh tokens and sessions. */
  @Periodic({
    name: 'session_retention',
    everyMs: INTERVAL_MS,
    onFailure: 'Failed to delete expired sessions and refresh tokens, retrying on the next run',
  })
  async trim(stopping?: AbortSignal): Promise<void> {
    await repeatWhile(async () => (await this.#trimTokens()) === BATCH_SIZE, stopping);
    await repeatWhile(async () => (await this.#trimSessions()) === BATCH_SIZE, stopping);
  }

  async #trimTokens(): Promise<number> {
    const manager = this.transactions.read();
    const expired = await manager.find(RefreshTokenEntity, {
      select: { hash: true },
      ...this.#expiredBatch(),
    });
    if (expired.length > 0)
      await manager.delete(RefreshTokenEntity, { hash: In(expired.map(({ hash }) => hash)) });
    return expired.length;
  }

  async #trimSessions(): Promise<number> {
    const manager = this.transactions.read();
    const expired = await manager.find(SessionEntity, { select: { id: true }, ...this.#expiredBatch() });
    // A session may have been refreshed since it was read.
    if (expired.length > 0)
      await manager.delete(SessionEntity, {
        id: In(expired.map(({ id }) => id)),
        expires_at: LessThanOrEqual(this.clock.now()),
      });
    return expired.length;
  }

  #expiredBatch() {
    return { where: { expires_at: LessThanOrEqual(this.clock.now()) }, take: BATCH_SIZE };
  }
}
