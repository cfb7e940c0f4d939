import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PeriodicJob, repeatWhile } from '../../common/concurrency/periodic-job';
import { Transactions } from '../../database/transactions';
import { nextAbandoned, type RemovedMessage, removeSome } from '../store/abandoned-conversations';

const INTERVAL_MS = 60_000;
/** Rows of one transaction: a group of a million messages goes in many short ones. */
const BATCH = 500;

/** Hears of messages that leave, in the transaction that removes them; may write there, and awaits nothing else. */
type Listener = (em: EntityManager, messages: readonly RemovedMessage[]) => Promise<void>;

/** Removes groups that everybody has left, with their messages. Every instance does; none minds. */
@Injectable()
export class AbandonedConversationsService implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #job = new PeriodicJob(this, {
    name: 'abandoned_conversations',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.trim(stopping),
    onFailure: 'Abandoned groups stay until the next time',
  });

  #listener?: Listener;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  onApplicationBootstrap(): void {
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /** Registers who wants to hear of it, at the start. */
  onRemoval(listener: Listener): void {
    this.#listener = listener;
  }

  /** Removes all that is abandoned, in short transactions; between two of them it may be stopped. */
  trim(stopping?: AbortSignal): Promise<void> {
    return repeatWhile(async () => {
      const id = await nextAbandoned(this.dataSource.manager);
      if (id === undefined) return false;
      await this.transactions.run(async (em) => {
        const removed = await removeSome(em, id, BATCH);
        if (removed.length > 0) await this.#listener?.(em, removed);
      });
      return true;
    }, stopping);
  }
}
