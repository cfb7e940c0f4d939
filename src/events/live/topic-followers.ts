import { Injectable } from '@nestjs/common';
import { EventSources } from '../event-sources';
import { EventLog } from '../log/event-log';
import type { TopicLog } from '../log/log-id';
import type { EventStream } from './event-stream';

/** Which streams of this instance follow which topics, and in which topics there may be something to publish. */
@Injectable()
export class TopicFollowers {
  readonly #followers = new Map<TopicLog, Set<EventStream>>();
  readonly #due = new Set<TopicLog>();
  /** Streams whose users may follow more topics than we know of. */
  readonly #seekers = new Set<EventStream>();

  constructor(
    private readonly sources: EventSources,
    private readonly events: EventLog,
  ) {}

  /** Where a user who begins to listen now stands in each topic. */
  async positionsOf(userId: number): Promise<Map<TopicLog, number>> {
    const follows = (await this.sources.topics?.follows([userId])) ?? [];
    if (follows.length === 0) return new Map();
    const cursors = await this.events.cursorsOf(follows.map(({ topic }) => topic));
    return new Map(follows.map(({ topic }) => [topic, cursors.get(topic) ?? 0]));
  }

  /** The streams that follow a topic and take more now. */
  of(topic: TopicLog): EventStream[] {
    const followers = [...(this.#followers.get(topic) ?? [])];
    return followers.filter(({ isStalled, isOver }) => !isStalled && !isOver);
  }

  /** A stream has opened, or takes more again: what was written meanwhile is read. */
  wake(stream: EventStream): void {
    for (const topic of stream.topics) this.#join(stream, topic);
  }

  /** A stream is gone. */
  remove(stream: EventStream): void {
    this.#seekers.delete(stream);
    for (const topic of stream.topics) this.leave(stream, topic);
  }

  /** The user of a stream does not follow a topic any more. */
  leave(stream: EventStream, topic: TopicLog): void {
    stream.unfollow(topic);
    const followers = this.#followers.get(topic);
    followers?.delete(stream);
    if (followers?.size === 0) this.#followers.delete(topic);
  }

  /** Something has happened in these topics and, by the same act, to the users of these streams. */
  announced(topics: TopicLog[], streams: EventStream[]): void {
    for (const topic of topics) if (this.#followers.has(topic)) this.#due.add(topic);
    for (const stream of streams)
      if (topics.some((topic) => !stream.follows(topic))) this.#seekers.add(stream);
  }

  /** Finds topics that have become theirs, and whatever is unpublished in all: two queries, however many there are. */
  async poll(streams: EventStream[]): Promise<void> {
    await this.#seek(streams);
    if (this.#followers.size === 0) return;
    for (const [topic, cursor] of await this.events.cursorsOf([...this.#followers.keys()])) {
      for (const stream of this.#followers.get(topic) ?? []) {
        if (stream.positionIn(topic) < cursor) this.#due.add(topic);
      }
    }
  }

  get isDue(): boolean {
    return this.#due.size > 0 || this.#seekers.size > 0;
  }

  /** Takes the topic whose turn it is; undefined when none is due. */
  async takeDue(): Promise<TopicLog | undefined> {
    await this.#seek([...this.#seekers]);
    const [topic] = this.#due;
    if (topic !== undefined) this.#due.delete(topic);
    return topic;
  }

  /** There is more to publish in a topic. */
  makeDue(topic: TopicLog): void {
    this.#due.add(topic);
  }

  /** Finds out which topics the users of these streams follow by now. */
  async #seek(streams: EventStream[]): Promise<void> {
    if (streams.length === 0 || !this.sources.topics) return;
    for (const stream of streams) this.#seekers.delete(stream);
    const byUser = Map.groupBy(streams, ({ userId }) => userId);
    for (const { userId, topic, after } of await this.sources.topics.follows([...byUser.keys()])) {
      for (const stream of byUser.get(userId) ?? []) {
        if (stream.isOver || stream.follows(topic)) continue;
        stream.follow(topic, after);
        this.#join(stream, topic);
      }
    }
  }

  #join(stream: EventStream, topic: TopicLog): void {
    const followers = this.#followers.get(topic) ?? new Set();
    this.#followers.set(topic, followers.add(stream));
    this.#due.add(topic);
  }
}
