import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../database/transactions';
import { EventSources, type DeferredEventSource } from '../../events/event-sources';
import { inChunks } from '../../common/concurrency/chunks';
import { isWriteRefused } from '../../database/errors';
import { newestBroadcastSeq } from '../store/announcement.store';
import { inboxesWithBroadcast } from '../store/inbox.store';
import { Inboxes } from './inboxes';

/** Inboxes per transaction; it is small because the transaction locks them. */
const BATCH_SIZE = 50;

/**
 * Materialises broadcasts in the inboxes of users who are connected or poll for events, without a read of the inbox. A
 * broadcast is one row when it is sent; users receive the event that is appended when their inbox materialises it.
 */
@Injectable()
export class BroadcastNotifier implements DeferredEventSource, OnModuleInit {
  /** The last broadcast that the inboxes of all users connected to this instance have materialised. */
  #materialisedUpTo = 0;
  /** Whether the inbox of a user who has connected may lack a broadcast: the next run looks at all of them. */
  #hasFailed = false;

  constructor(
    private readonly sources: EventSources,
    private readonly inboxes: Inboxes,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.sources.registerDeferred(this);
  }

  /**
   * While the database refuses writes (for example, disk full), inboxes stay unchanged, so that events can still be
   * read.
   */
  async catchUp(userIds: number[]): Promise<void> {
    try {
      await this.#materialiseUpTo(await this.#readNewest(), userIds);
    } catch (error) {
      this.#hasFailed = true;
      if (!isWriteRefused(error)) throw error;
    }
  }

  async catchUpAll(listeners: () => number[]): Promise<void> {
    const newest = await this.#readNewest();
    if (newest === this.#materialisedUpTo && !this.#hasFailed) return;
    this.#hasFailed = false;
    // Get the connected users after reading `newest`: a user who connects later catches up later, and finds this
    // broadcast.
    try {
      await this.#materialiseUpTo(newest, listeners());
    } catch (error) {
      this.#hasFailed = true;
      if (isWriteRefused(error)) return;
      throw error;
    }
    this.#materialisedUpTo = newest;
  }

  #readNewest(): Promise<number> {
    return newestBroadcastSeq(this.transactions.read());
  }

  async #materialiseUpTo(broadcast: number, userIds: number[]): Promise<void> {
    if (broadcast === 0) return;
    for (const chunk of inChunks(userIds)) {
      const current = await inboxesWithBroadcast(this.transactions.read(), chunk, broadcast);
      const behind = chunk.filter((id) => !current.has(id));
      for (const userIdBatch of inChunks(behind, BATCH_SIZE))
        await this.inboxes.materialiseBroadcasts(userIdBatch);
    }
  }
}
