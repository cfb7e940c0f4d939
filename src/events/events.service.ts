import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import type { WithHeaders } from '../common/http/with-headers';
import { Transactions } from '../database/transactions';
import { EventsPage, type PollQuery, toEventItem } from './dto/events.dto';
import { type NewEvent, RESYNC } from './event';
import { withCursor } from './event-cursor';
import { EventLog } from './event-log';
import { EventSources } from './event-sources';
import { EVERYBODY, EventWakeup } from './event-wakeup';

/** Where a transaction's query runner keeps what has been appended to it so far. */
const PENDING = 'events';

/** What other modules tell users through, and the poll endpoint (contract 7). */
@Injectable()
export class EventsService {
  constructor(
    private readonly log: EventLog,
    private readonly sources: EventSources,
    private readonly wakeup: EventWakeup,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds events to the running transaction: they exist if and when it commits. All of a transaction's events are
   * written together at its end, users in ascending order, so it does not matter who appends first.
   * @throws {Error} when `em` belongs to no transaction of `Transactions.run`
   */
  append(em: EntityManager, events: NewEvent[]): void {
    if (events.length === 0) return;
    const known = em.queryRunner?.data[PENDING] as NewEvent[] | undefined;
    if (known !== undefined) {
      known.push(...events);
      return;
    }
    const pending = [...events];
    this.transactions.atEnd(em, {
      write: () => this.log.write(em, pending),
      committed: () => this.wakeup.announce(pending.map(({ userId }) => userId)),
    });
    if (em.queryRunner) em.queryRunner.data[PENDING] = pending;
  }

  /**
   * Once the running transaction has committed, every instance looks at once for what its listeners have not been
   * told yet, instead of within a second.
   * @throws {Error} when `em` belongs to no transaction of `Transactions.run`
   */
  announceToAll(em: EntityManager): void {
    this.transactions.atEnd(em, {
      write: () => Promise.resolve(),
      committed: () => this.wakeup.announce([EVERYBODY]),
    });
  }

  /**
   * The newest cursor of a user, or of a topic: whatever is read after this call is brought up to date by the events
   * after it. `em` reads inside a transaction.
   */
  cursorOf(userId: number, em?: EntityManager): Promise<number> {
    return this.log.cursorOf(userId, em);
  }

  /** An answer with its cursor, which is read before the answer is made. */
  async withCursor<T>(userId: number, answer: () => Promise<T>): Promise<WithHeaders<T>> {
    const cursor = await this.log.cursorOf(userId);
    return withCursor(await answer(), cursor);
  }

  /** The next events after a cursor; a cursor that cannot be resumed gets one `resync` with the newest. */
  async poll(userId: number, { after, limit }: PollQuery): Promise<EventsPage> {
    await this.sources.late?.catchUp([userId]);
    const { cursor, missed } = await this.log.startAfter(userId, after);
    if (missed) {
      const resync = { seq: cursor, type: RESYNC, payload: '{}', created_at: this.clock.now() };
      return { items: [toEventItem(resync)], next_after: cursor };
    }
    const [events = []] = await this.log.read([{ userId, after: cursor }], limit);
    return { items: events.map(toEventItem), next_after: events.at(-1)?.seq ?? cursor };
  }
}
