import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, type Repository } from 'typeorm';
import { Clock } from '../common/clock';
import { PeriodicJob } from '../common/concurrency/periodic-job';
import { ApiKeyEntity } from './entities/api-key.entity';

const INTERVAL_MS = 30_000;
const LATER = 'When keys were used last is written later';

/**
 * When keys were used last. Noted in memory, and written twice a minute: one statement for each key that was used
 * meanwhile, however often.
 */
@Injectable()
export class KeyUses implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(KeyUses.name);
  readonly #job = new PeriodicJob(this, {
    name: 'key_uses',
    everyMs: INTERVAL_MS,
    run: () => this.write(),
    onFailure: LATER,
  });
  /** By the key's id; what is not written yet. */
  readonly #latest = new Map<number, Date>();

  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly clock: Clock,
  ) {}

  note(keyId: number): void {
    this.#latest.set(keyId, this.clock.now());
  }

  onApplicationBootstrap(): void {
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
    await this.write().catch((error: unknown) => this.#log.warn(`${LATER}, if at all: ${String(error)}`));
  }

  /** Writes what was noted, unless another instance has written something later. What fails is tried the next time. */
  async write(): Promise<void> {
    // What is noted meanwhile waits for the next time.
    const noted = Array.from(this.#latest);
    for (const [id, usedAt] of noted) {
      const isOlder = [
        { id, last_used_at: IsNull() },
        { id, last_used_at: LessThan(usedAt) },
      ];
      await this.keys.update(isOlder, { last_used_at: usedAt });
      if (this.#latest.get(id) === usedAt) this.#latest.delete(id);
    }
  }
}
