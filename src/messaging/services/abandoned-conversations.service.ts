import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { removeUses } from '../../attachments/store/attachment-uses.store';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Transactions } from '../../database/transactions';
import { nextAbandoned, type RemovedMessage, removeSome } from '../store/abandoned-conversations.store';

const INTERVAL_MS = 60_000;
/** Maximum number of rows per transaction: a group with a million messages is removed in many short transactions. */
const BATCH_SIZE = 500;

/** Runs in the transaction that removes the messages. May write through `em` and must await nothing else. */
type RemovalListener = (em: EntityManager, messages: readonly RemovedMessage[]) => Promise<void>;

/** Removes groups without members, with their messages, in batches. Safe to run on several instances concurrently. */
@Injectable()
export class AbandonedConversationsService {
  #listener?: RemovalListener;

  constructor(private readonly transactions: Transactions) {}

  /** Registers the only listener for removed messages. Called at startup. */
  onRemoval(listener: RemovalListener): void {
    this.#listener = listener;
  }

  /** Removes all abandoned groups in short transactions. Stops between two of them when `stopping` is aborted. */
  @Periodic({
    name: 'abandoned_conversations',
    everyMs: INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to remove abandoned conversations, retrying on the next run',
  })
  trim(stopping?: AbortSignal): Promise<void> {
    return repeatWhile(async () => {
      const id = await nextAbandoned(this.transactions.read());
      if (id === undefined) return false;
      await this.transactions.run(async (em) => {
        const removed = await removeSome(em, id, BATCH_SIZE);
        await removeUses(
          em,
          removed.flatMap(({ attachmentIds }) => attachmentIds),
        );
        if (removed.length > 0) await this.#listener?.(em, removed);
      });
      return true;
    }, stopping);
  }
}
