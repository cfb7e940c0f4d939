import { Injectable } from '@nestjs/common';
import type { LoggedEvent, UserEvent } from './log/event';
import type { TopicLog } from './log/log-id';

/** A source of events that are written to a user's log only when the user reads events, such as broadcasts. */
export interface DeferredEventSource {
  /** Writes the events that the logs of these users lack. */
  catchUp(userIds: number[]): Promise<void>;
  /**
   * Writes them for all users with an open stream on this instance. Called whenever there may be new ones.
   * @param listeners returns the users at the time of the call; must be called as late as possible, so that it includes
   * users who connect meanwhile
   */
  catchUpAll(listeners: () => number[]): Promise<void>;
}

/** Subscription of a user to a topic. `after`: number of the topic's last event that the user must not receive. */
export interface TopicSubscription {
  userId: number;
  topic: TopicLog;
  after: number;
}

/**
 * Returns a topic's event as user events for a user; undefined if the user is not subscribed to the topic (any more).
 */
export type EventView = (userId: number, event: LoggedEvent) => UserEvent[] | undefined;

/**
 * A source of events that are stored once for all their recipients, such as those of a large group. A topic has a log
 * like a user's, under an id that the source chooses. Open streams receive its events without a cursor.
 */
export interface TopicSource {
  /** Returns the topic subscriptions of these users. */
  subscriptionsOf(userIds: number[]): Promise<TopicSubscription[]>;
  /**
   * Returns the views of these users on events of a topic, which are in order. The views contain the current counts.
   */
  viewFor(topic: TopicLog, events: LoggedEvent[], userIds: number[]): Promise<EventView>;
}

/**
 * Changes the payloads of some event types when they are read: for content that must be deleted before the events are,
 * or that must not be sent any more.
 */
export interface PayloadResolver {
  /** No other resolver has any of these types. */
  readonly types: ReadonlySet<string>;
  /** Maximum number of such events per read, divided among its pages; every page gets at least one. Default: none. */
  readonly maxEvents?: number;
  /** Replaces the payloads, JSON objects, where that is necessary. */
  resolve(events: readonly LoggedEvent[]): Promise<void>;
}

/**
 * Registry for event sources of other modules beyond direct appends to users' logs. Modules register when they start.
 */
@Injectable()
export class EventSources {
  #deferred?: DeferredEventSource;
  #topics?: TopicSource;
  readonly #payloadResolvers: PayloadResolver[] = [];

  get deferred(): DeferredEventSource | undefined {
    return this.#deferred;
  }

  get topics(): TopicSource | undefined {
    return this.#topics;
  }

  get payloadResolvers(): readonly PayloadResolver[] {
    return this.#payloadResolvers;
  }

  /** @throws {Error} if another source is registered */
  registerDeferred(source: DeferredEventSource): void {
    if (this.#deferred !== undefined) throw new Error('A deferred event source is already registered');
    this.#deferred = source;
  }

  /** @throws {Error} if another source is registered */
  registerTopics(source: TopicSource): void {
    if (this.#topics !== undefined) throw new Error('A topic source is already registered');
    this.#topics = source;
  }

  /** @throws {Error} if another resolver has one of its types */
  registerPayloadResolver(resolver: PayloadResolver): void {
    if (this.#payloadResolvers.some(({ types }) => [...types].some((type) => resolver.types.has(type))))
      throw new Error('A payload resolver of this event type is already registered');
    this.#payloadResolvers.push(resolver);
  }
}
