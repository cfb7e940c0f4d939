import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, In, MoreThanOrEqual } from 'typeorm';
import { EventSources, type LateSource } from '../../events/event-sources';
import { inChunks } from '../../common/concurrency/chunks';
import { isWriteRefused } from '../../database/errors';
import { InboxEntity } from '../entities/inbox.entity';
import { newestBroadcastSeq } from '../store/announcement-rows';
import { Inboxes } from './inboxes';

/** Inboxes that take in what they have missed within one transaction: others want to write in between. */
const PACE = 50;

/**
 * Lets the inboxes of those who listen, or poll their events, take in broadcasts as if their owners had looked: a
 * broadcast is one row when it is sent, and the owners hear of it by the event that the taking in makes.
 */
@Injectable()
export class LiveBroadcasts implements LateSource, OnModuleInit {
  /** The last broadcast that everybody who listens here has taken in. */
  #caughtUpWith = 0;

  constructor(
    private readonly sources: EventSources,
    private readonly inboxes: Inboxes,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.sources.registerLate(this);
  }

  /** While the database refuses writes, for example on a full disk, the inboxes stay as they are, and the events can be read. */
  async catchUp(userIds: number[]): Promise<void> {
    const newest = await this.#newest();
    try {
      await this.#bringUpTo(newest, userIds);
    } catch (error) {
      if (!isWriteRefused(error)) throw error;
    }
  }

  async catchUpAll(listeners: () => number[]): Promise<void> {
    const newest = await this.#newest();
    if (newest === this.#caughtUpWith) return;
    // Asked for only now: who comes later looks later, and so finds this broadcast.
    await this.#bringUpTo(newest, listeners());
    this.#caughtUpWith = newest;
  }

  #newest(): Promise<number> {
    return newestBroadcastSeq(this.dataSource.manager);
  }

  async #bringUpTo(broadcast: number, userIds: number[]): Promise<void> {
    if (broadcast === 0) return;
    const { manager } = this.dataSource;
    for (const chunk of inChunks(userIds)) {
      const where = { user_id: In(chunk), broadcast_id: MoreThanOrEqual(broadcast) };
      const current = await manager.find(InboxEntity, { select: { user_id: true }, where });
      const isCurrent = new Set(current.map(({ user_id }) => user_id));
      const behind = chunk.filter((id) => !isCurrent.has(id));
      for (const some of inChunks(behind, PACE)) await this.inboxes.catchUp(some);
    }
  }
}
