import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, In, LessThanOrEqual } from 'typeorm';
import { Clock } from '../../common/clock';
import { PeriodicJob, repeatWhile } from '../../common/concurrency/periodic-job';
import { RefreshTokenEntity } from '../entities/refresh-token.entity';
import { SessionEntity } from '../entities/session.entity';

const INTERVAL_MS = 60_000;
const BATCH = 500;

/** Deletes refresh tokens and sessions whose time has passed, in small batches. Every instance does; none minds. */
@Injectable()
export class SessionRetention implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #job = new PeriodicJob(this, {
    name: 'session_retention',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.trim(stopping),
    onFailure: 'Expired sessions stay until the next time',
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /** Deletes everything that has expired. */
  async trim(stopping?: AbortSignal): Promise<void> {
    await repeatWhile(async () => (await this.#trimTokens()) === BATCH, stopping);
    await repeatWhile(async () => (await this.#trimSessions()) === BATCH, stopping);
  }

  async #trimTokens(): Promise<number> {
    const { manager } = this.dataSource;
    const expired = await manager.find(RefreshTokenEntity, {
      select: { hash: true },
      ...this.#someExpired(),
    });
    if (expired.length > 0)
      await manager.delete(RefreshTokenEntity, { hash: In(expired.map(({ hash }) => hash)) });
    return expired.length;
  }

  async #trimSessions(): Promise<number> {
    const { manager } = this.dataSource;
    const expired = await manager.find(SessionEntity, { select: { id: true }, ...this.#someExpired() });
    // One may have been prolonged since.
    if (expired.length > 0)
      await manager.delete(SessionEntity, {
        id: In(expired.map(({ id }) => id)),
        expires_at: LessThanOrEqual(this.clock.now()),
      });
    return expired.length;
  }

  #someExpired() {
    return { where: { expires_at: LessThanOrEqual(this.clock.now()) }, take: BATCH };
  }
}
