import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Periodic } from '../common/jobs/periodic.decorator';
import { Transactions } from '../database/transactions';
import { storeLastUse } from './keys.store';

const INTERVAL_MS = 30_000;

/** Records when API keys were last used: in memory, written twice a minute with one statement per used key. */
@Injectable()
export class KeyUses implements OnModuleDestroy {
  readonly #log = new Logger(KeyUses.name);
  /** Times that are not written yet, by key id. */
  readonly #latest = new Map<number, Date>();

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  note(keyId: number): void {
    this.#latest.set(keyId, this.clock.now());
  }

  async onModuleDestroy(): Promise<void> {
    await this.write().catch((error: unknown) =>
      this.#log.warn(
        `Failed to write the last-used times of API keys at shutdown; they are lost: ${String(error)}`,
      ),
    );
  }

  /**
   * Writes the recorded times, unless another instance has written a later one. A failed write is retried on the next
   * run.
   */
  @Periodic({
    name: 'key_uses',
    everyMs: INTERVAL_MS,
    onFailure: 'Failed to write the last-used times of API keys, retrying on the next run',
  })
  async write(): Promise<void> {
    // Uses that are recorded during the loop are written on the next run.
    const entries = Array.from(this.#latest);
    for (const [id, usedAt] of entries) {
      await storeLastUse(this.transactions.read(), id, usedAt);
      if (this.#latest.get(id) === usedAt) this.#latest.delete(id);
    }
  }
}
