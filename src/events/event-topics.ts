import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import type { LoggedEvent } from './event';
import { EventLog } from './event-log';
import { EventSources } from './event-sources';
import type { EventStream } from './event-stream';

/** How many events of a topic are told in one go, and to how many streams: in between, others have their turn. */
const PAGE = 20;
const STREAMS = 1_000;
/** And from how many positions on: a slow reader that reads on from afar keeps nobody else waiting. */
const POSITIONS = 10;

/** A stream, and the events of a topic that come next for it. */
interface Reading {
  stream: EventStream;
  page: LoggedEvent[];
}

/**
 * Tells the streams of this instance of the topics that their users follow. A stream keeps its position in each topic
 * and reads on from there, as it does in its user's log, so a slow reader costs no memory here either.
 */
@Injectable()
export class EventTopics {
  readonly #followers = new Map<number, Set<EventStream>>();
  readonly #due = new Set<number>();
  /** Streams whose users may follow more topics than we know of. */
  readonly #seekers = new Set<EventStream>();

  constructor(
    private readonly sources: EventSources,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** Where a user who begins to listen now stands in each topic. */
  async positionsOf(userId: number): Promise<Map<number, number>> {
    const follows = (await this.sources.topics?.follows([userId])) ?? [];
    if (follows.length === 0) return new Map();
    const cursors = await this.events.cursorsOf(follows.map(({ topic }) => topic));
    return new Map(follows.map(({ topic }) => [topic, cursors.get(topic) ?? 0]));
  }

  /** A stream has opened, or takes more again: what was written meanwhile is read. */
  wake(stream: EventStream): void {
    for (const topic of stream.topics.keys()) this.#join(stream, topic);
  }

  remove(stream: EventStream): void {
    this.#seekers.delete(stream);
    for (const topic of stream.topics.keys()) this.#leave(stream, topic);
  }

  /** Something has happened in these topics and, by the same act, to the users of these streams. */
  announced(topics: number[], streams: EventStream[]): void {
    for (const topic of topics) if (this.#followers.has(topic)) this.#due.add(topic);
    for (const stream of streams)
      if (topics.some((topic) => !stream.topics.has(topic))) this.#seekers.add(stream);
  }

  /** Looks for topics that have become theirs, and for news in all: two queries, however many there are. */
  async look(streams: EventStream[]): Promise<void> {
    await this.#follow(streams);
    if (this.#followers.size === 0) return;
    for (const [topic, cursor] of await this.events.cursorsOf([...this.#followers.keys()])) {
      for (const stream of this.#followers.get(topic) ?? []) {
        if ((stream.topics.get(topic) ?? 0) < cursor) this.#due.add(topic);
      }
    }
  }

  get isDue(): boolean {
    return this.#due.size > 0 || this.#seekers.size > 0;
  }

  /**
   * Tells of one topic. What is told of counts must not be overtaken by what the user's own log says, nor the other
   * way round; so a stream is told only if that log has stood still meanwhile and the stream has all of it.
   * @returns the streams that must read on in their own log first; the topic waits for them
   */
  async tellNext(): Promise<EventStream[]> {
    await this.#follow([...this.#seekers]);
    const [topic] = this.#due;
    if (topic === undefined) return [];
    this.#due.delete(topic);
    const { readings, hasMore } = await this.#readFor(topic);
    if (readings.length === 0) return [];

    const before = readings.map(({ stream }) => stream.position);
    const userIds = [...new Set(readings.map(({ stream }) => stream.userId))];
    const events = new Map(readings.flatMap(({ page }) => page.map((event) => [event.seq, event])));
    const tell = await this.sources.topics?.tell(topic, [...events.values()], userIds);
    const cursors = await this.events.cursorsOf(userIds);
    const now = this.clock.now().getTime();
    const waiting: EventStream[] = [];
    let told = 0;
    for (const [index, { stream, page }] of readings.entries()) {
      const cursor = cursors.get(stream.userId) ?? 0;
      if (stream.isOver) continue;
      if (stream.position !== before[index] || stream.position < cursor) {
        // Once at each position: a log that cannot be read on is a matter for the next look.
        if (stream.waitedAt !== stream.position) waiting.push(stream);
        stream.waitedAt = stream.position;
        continue;
      }
      if (!tell || !stream.tell(topic, page, tell, now)) this.#leave(stream, topic);
      told += 1;
    }
    if (waiting.length > 0 || (told > 0 && hasMore)) this.#due.add(topic);
    return waiting;
  }

  /** What the streams that follow a topic have still to be told of it; those who are furthest first. */
  async #readFor(topic: number): Promise<{ readings: Reading[]; hasMore: boolean }> {
    const awake = [...(this.#followers.get(topic) ?? [])].filter(({ isStalled }) => !isStalled);
    const byPosition = Map.groupBy(awake, ({ topics }) => topics.get(topic) ?? 0);
    const groups = [...byPosition].toSorted(([a], [b]) => b - a).slice(0, POSITIONS);
    if (groups.length === 0) return { readings: [], hasMore: false };
    const pages = await this.events.read(
      groups.map(([after]) => ({ userId: topic, after })),
      PAGE,
    );
    const behind = groups.flatMap(([, streams], index) => {
      const page = pages[index] ?? [];
      return page.length === 0 ? [] : streams.map((stream) => ({ stream, page }));
    });
    const readings = behind.slice(0, STREAMS);
    const isPart = behind.length > readings.length || byPosition.size > groups.length;
    return { readings, hasMore: isPart || pages.some(({ length }) => length === PAGE) };
  }

  /** Finds out which topics the users of these streams follow by now. */
  async #follow(streams: EventStream[]): Promise<void> {
    if (streams.length === 0 || !this.sources.topics) return;
    for (const stream of streams) this.#seekers.delete(stream);
    const byUser = Map.groupBy(streams, ({ userId }) => userId);
    for (const { userId, topic, after } of await this.sources.topics.follows([...byUser.keys()])) {
      for (const stream of byUser.get(userId) ?? []) {
        if (stream.isOver || stream.topics.has(topic)) continue;
        stream.topics.set(topic, after);
        this.#join(stream, topic);
      }
    }
  }

  #join(stream: EventStream, topic: number): void {
    const followers = this.#followers.get(topic) ?? new Set();
    this.#followers.set(topic, followers.add(stream));
    this.#due.add(topic);
  }

  #leave(stream: EventStream, topic: number): void {
    stream.topics.delete(topic);
    const followers = this.#followers.get(topic);
    followers?.delete(stream);
    if (followers?.size === 0) this.#followers.delete(topic);
  }
}
