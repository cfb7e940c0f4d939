import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { Throttle, type ThrottleDecision } from '../../common/concurrency/throttle';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { Transactions } from '../../database/transactions';
import { onCommit } from '../../database/transaction-hooks';
import { EventsService } from '../../events/events.service';
import { memberIdsOf } from '../store/members.store';
import type { ReadEvent } from './event-payloads';

/** Minimum interval between two read receipts of the same reader in the same group. */
const INTERVAL_MS = 3_000;
const TICK_MS = 250;

/**
 * Broadcasts read receipts to the other members of a small group, as ephemeral events without a cursor. Throttles them
 * to one per reader and group in 3 s: the first is sent immediately, and at the end of the interval the newest of those
 * that were deferred (API 8.12). Stores nothing, and runs no query while no client is connected.
 */
@Injectable()
export class ReadReceiptBroadcaster {
  readonly #log = new Logger(ReadReceiptBroadcaster.name);
  readonly #throttle = new Throttle<ReadEvent>(INTERVAL_MS, furtherOf);

  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly clock: Clock,
  ) {}

  /** Broadcasts a read receipt to the other members once the running transaction has committed. */
  publish(em: EntityManager, read: ReadEvent): void {
    if (!this.events.hasConnections) return;
    onCommit(em, {
      afterCommit: () => {
        this.#sendOrDefer(read).catch((error: unknown) =>
          this.#log.warn(
            `Failed to broadcast a read receipt; members see it after a reload: ${String(error)}`,
          ),
        );
      },
    });
  }

  async #sendOrDefer(read: ReadEvent): Promise<void> {
    if (this.#take(read, this.clock.now().getTime()) === 'emit') await this.#broadcast(read);
  }

  #take(read: ReadEvent, now: number): ThrottleDecision {
    return this.#throttle.take(`${read.conversation_id}:${read.user_id}`, read, now);
  }

  /** Broadcasts the deferred receipts that are due. After an error, those that remain are deferred again. */
  @Periodic({
    name: 'live_reads',
    everyMs: TICK_MS,
    onFailure: 'Failed to broadcast deferred read receipts, retrying in 3 s',
  })
  async tick(): Promise<void> {
    const now = this.clock.now().getTime();
    const due = this.#throttle.due(now);
    try {
      for (; due[0] !== undefined; due.shift()) await this.#broadcast(due[0]);
    } finally {
      for (const read of due) this.#take(read, now);
    }
  }

  async #broadcast(read: ReadEvent): Promise<void> {
    const members = await memberIdsOf(this.transactions.read(), read.conversation_id);
    const recipients = members.filter((userId) => userId !== read.user_id);
    this.events.publishEphemeral(recipients, { type: 'conversation.read', payload: read });
  }
}

/** Returns the receipt that is further on: receipts of one reader may arrive in another order than their commits. */
const furtherOf = (a: ReadEvent, b: ReadEvent): ReadEvent =>
  (a.up_to_message_id ?? 0) > (b.up_to_message_id ?? 0) ? a : b;
