import { Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { onCommit, transactionScoped } from '../database/transaction-hooks';
import { PollResponse, type PollQuery, toEventItem } from './dto/events.dto';
import type { NewEvent, NewTopicEvent, UserEvent } from './log/event';
import { encodeEvents, encodeTopicEvent, type PendingEvents } from './log/event-encoding';
import { RESYNC } from './log/event-types';
import { type TopicLog, userLog } from './log/log-id';
import { EventLog } from './log/event-log';
import { writeEvents } from './log/event-rows';
import { EventSources } from './event-sources';
import { type ConnectionChange, StreamRegistry } from './live/stream-registry';
import { EventNotifier } from './live/event-notifier';

/** Key of the transaction-scoped list of pending events. */
const PENDING = 'events';

/** Events of a transaction, which are written before its commit and published after it. */
interface Pending {
  events: PendingEvents[];
  /** Topics that are published although the transaction writes no event to them. */
  topics: TopicLog[];
}

/** Publishes events of other modules to users, and serves the poll endpoint (API 13). */
@Injectable()
export class EventsService {
  constructor(
    private readonly log: EventLog,
    private readonly sources: EventSources,
    private readonly notifier: EventNotifier,
    private readonly registry: StreamRegistry,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds events to the running transaction. All events of a transaction are written together before its commit, users
   * in ascending order, so that transactions lock the logs in the same order regardless of the order of the calls.
   * @throws {Error} if `em` does not belong to a transaction of `Transactions.run`
   */
  append(em: EntityManager, events: NewEvent[]): void {
    if (events.length === 0) return;
    const pending = this.#pendingOf(em);
    for (const encoded of encodeEvents(events)) pending.events.push(encoded);
  }

  /**
   * Adds an event to the log of a topic in the running transaction: one row, regardless of the number of subscribers.
   * @throws {Error} if `em` does not belong to a transaction of `Transactions.run`
   */
  appendToTopic(em: EntityManager, topic: TopicLog, event: NewTopicEvent): void {
    this.#pendingOf(em).events.push(encodeTopicEvent(topic, event));
  }

  /**
   * Makes the users to whom the running transaction appends events subscribe to a topic immediately after the commit,
   * instead of at the next poll. For users who have just become subscribers.
   * @throws {Error} if `em` does not belong to a transaction of `Transactions.run`
   */
  notifyTopic(em: EntityManager, topic: TopicLog): void {
    this.#pendingOf(em).topics.push(topic);
  }

  /**
   * Makes every instance poll for unsent events immediately after the commit of the running transaction, instead of
   * within a second.
   * @throws {Error} if `em` does not belong to a transaction of `Transactions.run`
   */
  notifyAll(em: EntityManager): void {
    onCommit(em, {
      afterCommit: () => this.notifier.distribute({ everybody: true }),
    });
  }

  /** Whether an ephemeral event may have a recipient: on this process, or on another one through a channel. */
  get hasConnections(): boolean {
    return this.notifier.hasConnections;
  }

  /**
   * Publishes an ephemeral event, without an `id`, to the open streams of these users. It is not stored: a user without
   * an open stream, and a stream that is stalled, never receives it. Other instances receive it only through Redis,
   * and other workers through the primary.
   */
  publishEphemeral(userIds: number[], { type, payload }: UserEvent): void {
    const created_at = this.clock.now().toISOString();
    this.notifier.distribute({ live: { userIds, type, created_at, payload: JSON.stringify(payload) } });
  }

  /** Emits when the first stream of a user opens on this instance, and when the last one closes. */
  get connectionChanges(): Observable<ConnectionChange> {
    return this.registry.connectionChanges;
  }

  /** Ids of the users with an open stream on this instance. */
  get connectedUserIds(): number[] {
    return this.registry.userIds;
  }

  /** Number of open streams on this instance. */
  get streamCount(): number {
    return this.registry.streamCount;
  }

  /**
   * Sends a signal to the handlers of its name: on this instance immediately, on other instances through Redis, where
   * it may be lost.
   * @param body a JSON value
   */
  signal(name: string, body: unknown): void {
    this.notifier.distribute({ signal: { name, body } });
  }

  /** Registers the handler for signals of a name. One handler per name, registered when the service starts. */
  onSignal(name: string, handler: (body: unknown) => void): void {
    this.notifier.onSignal(name, handler);
  }

  /** Whether this instance is subscribed to Redis, and so receives signals of other instances. */
  get isSubscribed(): boolean {
    return this.notifier.isSubscribed;
  }

  /** Returns the newest cursor of a user. The events after it keep data that is read after this call up to date. */
  cursorOf(userId: number): Promise<number> {
    return this.log.cursorOf(userLog(userId));
  }

  /** Returns the newest cursor of a topic, as visible to the transaction of `em`. */
  topicCursorOf(em: EntityManager, topic: TopicLog): Promise<number> {
    return this.log.cursorOf(topic, em);
  }

  /** Returns the next events after a cursor; if it cannot be resumed, one `resync` event with the newest cursor. */
  async poll(userId: number, { after, limit }: PollQuery): Promise<PollResponse> {
    await this.sources.deferred?.catchUp([userId]);
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
    return transactionScoped(em, PENDING, () => {
      const pending: Pending = { events: [], topics: [] };
      return {
        value: pending,
        beforeCommit: () => writeEvents(em, pending.events, this.clock.now()),
        afterCommit: () =>
          this.notifier.distribute({
            logs: [...pending.events.map(({ log }) => log), ...pending.topics],
          }),
      };
    });
  }
}
