import { Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { Transactions } from '../database/transactions';
import { PollResponse, type PollQuery, toEventItem } from './dto/events.dto';
import type { NewEvent, NewTopicEvent, UnwrittenEvent, UserEvent } from './log/event';
import { RESYNC } from './log/event-types';
import { type TopicLog, userLog } from './log/log-id';
import { EventLog } from './log/event-log';
import { EventSources } from './event-sources';
import type { ListeningChange } from './live/stream-registry';
import { Wakeup } from './live/wakeup';

/** Where a transaction's query runner keeps what it publishes when it commits. */
const PENDING = 'events';

/** What a transaction writes and announces when it commits. */
interface Pending {
  events: UnwrittenEvent[];
  /** Topics that are announced though nothing is written to them. */
  topics: TopicLog[];
}

/** By what other modules publish events to users, and the poll endpoint (contract 7). */
@Injectable()
export class EventsService {
  constructor(
    private readonly log: EventLog,
    private readonly sources: EventSources,
    private readonly wakeup: Wakeup,
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
    const pending = this.#pendingOf(em);
    for (const { userId, type, payload } of events)
      pending.events.push({ log: userLog(userId), type, payload });
  }

  /**
   * Adds an event to the log of a topic, as `append` does to users': once, whoever will hear of it.
   * @throws {Error} when `em` belongs to no transaction of `Transactions.run`
   */
  appendToTopic(em: EntityManager, topic: TopicLog, event: NewTopicEvent): void {
    this.#pendingOf(em).events.push({ log: topic, ...event });
  }

  /**
   * Lets those to whom the running transaction appends events find out at once, and not at the next poll, that they
   * follow a topic from now on.
   * @throws {Error} when `em` belongs to no transaction of `Transactions.run`
   */
  announceTopic(em: EntityManager, topic: TopicLog): void {
    this.#pendingOf(em).topics.push(topic);
  }

  /**
   * Once the running transaction has committed, every instance polls at once for what its listeners have not been
   * sent yet, instead of within a second.
   * @throws {Error} when `em` belongs to no transaction of `Transactions.run`
   */
  announceToAll(em: EntityManager): void {
    this.transactions.atEnd(em, {
      write: () => Promise.resolve(),
      committed: () => this.wakeup.announce({ everybody: true }),
    });
  }

  /** Whether anybody might hear what is only told live: on this instance, or on others by way of Redis. */
  get hasListeners(): boolean {
    return this.wakeup.hasListeners;
  }

  /**
   * Tells something to the streams that these users have open now, without an `id`. It is stored nowhere: who does not
   * listen, or does not keep up, never hears of it. Other instances are reached through Redis alone.
   */
  tellLive(userIds: number[], { type, payload }: UserEvent): void {
    const created_at = this.clock.now().toISOString();
    this.wakeup.announce({ live: { userIds, type, created_at, payload: JSON.stringify(payload) } });
  }

  /** Users whose first stream has opened on this instance, and whose last has closed. */
  get listening(): Observable<ListeningChange> {
    return this.wakeup.listening;
  }

  /** The users who listen on this instance. */
  get listeners(): number[] {
    return this.wakeup.listeners;
  }

  /** How many streams are open on this instance. */
  get streamCount(): number {
    return this.wakeup.streamCount;
  }

  /**
   * Says something to who hears signals of this name: here at once, and on other instances by way of Redis, where it may
   * be lost.
   * @param body JSON
   */
  signal(name: string, body: unknown): void {
    this.wakeup.announce({ signal: { name, body } });
  }

  /** Hears signals of a name; one hearer for each, registered at the start. */
  onSignal(name: string, hearer: (body: unknown) => void): void {
    this.wakeup.hear(name, hearer);
  }

  /** Whether signals of other instances arrive at the moment. */
  get hearsOthers(): boolean {
    return this.wakeup.hearsOthers;
  }

  /** The newest cursor of a user: whatever is read after this call is brought up to date by the events after it. */
  cursorOf(userId: number): Promise<number> {
    return this.log.cursorOf(userLog(userId));
  }

  /** How far a topic has come, as the transaction of `em` sees it. */
  topicCursorOf(em: EntityManager, topic: TopicLog): Promise<number> {
    return this.log.cursorOf(topic, em);
  }

  /** The next events after a cursor; a cursor that cannot be resumed gets one `resync` with the newest. */
  async poll(userId: number, { after, limit }: PollQuery): Promise<PollResponse> {
    await this.sources.late?.catchUp([userId]);
    const log = userLog(userId);
    const { cursor, missed } = await this.log.startAfter(log, after);
    if (missed) {
      const resync = { seq: cursor, type: RESYNC, payload: '{}', created_at: this.clock.now() };
      return { items: [toEventItem(resync)], next_after: cursor };
    }
    const [page] = await this.log.read([{ log, after: cursor }], limit);
    const events = page?.events ?? [];
    return { items: events.map(toEventItem), next_after: events.at(-1)?.seq ?? cursor };
  }

  #pendingOf(em: EntityManager): Pending {
    return this.transactions.gather(em, PENDING, () => {
      const pending: Pending = { events: [], topics: [] };
      return {
        gathered: pending,
        write: () => this.log.write(em, pending.events),
        committed: () =>
          this.wakeup.announce({ logs: [...pending.events.map(({ log }) => log), ...pending.topics] }),
      };
    });
  }
}
