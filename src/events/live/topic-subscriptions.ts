import { Injectable } from '@nestjs/common';
import { EventSources } from '../event-sources';
import { EventLog } from '../log/event-log';
import type { TopicLog } from '../log/log-id';
import type { EventStream } from './event-stream';

/** Topic subscriptions of the streams of this instance, and the topics that may have unpublished events. */
@Injectable()
export class TopicSubscriptions {
  readonly #subscribers = new Map<TopicLog, Set<EventStream>>();
  readonly #due = new Set<TopicLog>();
  /** Streams whose users may have topic subscriptions that are not loaded yet. */
  readonly #unresolved = new Set<EventStream>();

  constructor(
    private readonly sources: EventSources,
    private readonly events: EventLog,
  ) {}

  /** Returns the newest cursor of each topic to which the user is subscribed, for a stream that starts now. */
  async positionsOf(userId: number): Promise<Map<TopicLog, number>> {
    const follows = (await this.sources.topics?.subscriptionsOf([userId])) ?? [];
    if (follows.length === 0) return new Map();
    const cursors = await this.events.cursorsOf(follows.map(({ topic }) => topic));
    return new Map(follows.map(({ topic }) => [topic, cursors.get(topic) ?? 0]));
  }

  /** Returns the streams that are subscribed to a topic and can be written to now. */
  of(topic: TopicLog): EventStream[] {
    return [...(this.#subscribers.get(topic) ?? [])].filter(({ canWrite }) => canWrite);
  }

  /** Makes the topics of a stream that has opened or drained due, so that events written meanwhile are read. */
  wake(stream: EventStream): void {
    for (const topic of stream.topics) this.#subscribe(stream, topic);
  }

  /** Removes the subscriptions of a closed stream. */
  remove(stream: EventStream): void {
    this.#unresolved.delete(stream);
    for (const topic of stream.topics) this.leave(stream, topic);
  }

  /** Removes the subscription of a stream to a topic. */
  leave(stream: EventStream, topic: TopicLog): void {
    stream.unfollow(topic);
    const subscribers = this.#subscribers.get(topic);
    subscribers?.delete(stream);
    if (subscribers?.size === 0) this.#subscribers.delete(topic);
  }

  /**
   * Makes topics due that one transaction has written to. The users of `streams`, for whom it has written events as
   * well, may have become subscribers of these topics.
   */
  announced(topics: TopicLog[], streams: EventStream[]): void {
    for (const topic of topics) if (this.#subscribers.has(topic)) this.#due.add(topic);
    for (const stream of streams)
      if (topics.some((topic) => !stream.follows(topic))) this.#unresolved.add(stream);
  }

  /** Loads new subscriptions of these streams, and makes topics with unpublished events due. Two queries in all. */
  async poll(streams: EventStream[]): Promise<void> {
    await this.#loadSubscriptions(streams);
    if (this.#subscribers.size === 0) return;
    for (const [topic, cursor] of await this.events.cursorsOf([...this.#subscribers.keys()])) {
      for (const stream of this.#subscribers.get(topic) ?? []) {
        if (stream.positionIn(topic) < cursor) this.#due.add(topic);
      }
    }
  }

  get isDue(): boolean {
    return this.#due.size > 0 || this.#unresolved.size > 0;
  }

  /** Removes and returns the next due topic; undefined if none is due. */
  async takeDue(): Promise<TopicLog | undefined> {
    await this.#loadSubscriptions([...this.#unresolved]);
    const [topic] = this.#due;
    if (topic !== undefined) this.#due.delete(topic);
    return topic;
  }

  /** Marks a topic that has more events to publish. */
  makeDue(topic: TopicLog): void {
    this.#due.add(topic);
  }

  /** Loads the current subscriptions of the users of these streams, and adds the new ones. */
  async #loadSubscriptions(streams: EventStream[]): Promise<void> {
    if (streams.length === 0 || !this.sources.topics) return;
    for (const stream of streams) this.#unresolved.delete(stream);
    const byUser = Map.groupBy(streams, ({ userId }) => userId);
    for (const { userId, topic, after } of await this.sources.topics.subscriptionsOf([...byUser.keys()])) {
      for (const stream of byUser.get(userId) ?? []) {
        if (stream.isOver || stream.follows(topic)) continue;
        stream.follow(topic, after);
        this.#subscribe(stream, topic);
      }
    }
  }

  #subscribe(stream: EventStream, topic: TopicLog): void {
    const subscribers = this.#subscribers.get(topic) ?? new Set();
    this.#subscribers.set(topic, subscribers.add(stream));
    this.#due.add(topic);
  }
}
