import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { EventSources } from '../event-sources';
import type { LoggedEvent } from '../log/event';
import { EventLog } from '../log/event-log';
import { type TopicLog, userLog } from '../log/log-id';
import type { EventStream } from './event-stream';
import { TopicSubscriptions } from './topic-subscriptions';

/** Maximum number of events per turn of a topic. Other topics and streams have their turn in between. */
const PAGE_SIZE = 20;
/** Maximum number of streams per turn of a topic. */
const MAX_STREAMS = 1_000;
/** Maximum number of different positions per turn of a topic, so that slow clients do not delay the others. */
const MAX_POSITIONS = 10;

/** A stream and its next events of a topic. */
interface Reading {
  stream: EventStream;
  page: LoggedEvent[];
}

/**
 * Publishes topics to the subscribed streams of this instance. A stream stores its position in each topic, as it does
 * in its user's log, and reads on from there, so that a slow client costs no memory here either.
 */
@Injectable()
export class TopicPublisher {
  constructor(
    private readonly subscriptions: TopicSubscriptions,
    private readonly sources: EventSources,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Publishes the next events of the next due topic.
   * @returns the streams that must first read further in their user's log; the topic waits for them
   */
  async publishNext(): Promise<EventStream[]> {
    const topic = await this.subscriptions.takeDue();
    if (topic === undefined) return [];
    const { readings, hasMore } = await this.#readNext(topic);
    if (readings.length === 0) return [];
    const { published, waiting } = await this.#publish(topic, readings);
    if (waiting.length > 0 || (published > 0 && hasMore)) this.subscriptions.makeDue(topic);
    return waiting;
  }

  /** Reads the next events of a topic for its streams, those with the highest positions first. */
  async #readNext(topic: TopicLog): Promise<{ readings: Reading[]; hasMore: boolean }> {
    const byPosition = Map.groupBy(this.subscriptions.of(topic), (stream) => stream.positionIn(topic));
    const groups = [...byPosition].toSorted(([a], [b]) => b - a).slice(0, MAX_POSITIONS);
    if (groups.length === 0) return { readings: [], hasMore: false };
    const positions = groups.map(([after]) => ({ log: topic, after }));
    const pages = await this.events.read(positions, PAGE_SIZE);
    const isEmpty = (index: number): boolean => pages[index]?.events.length === 0;
    const newestOfExpired = await this.events.expired(positions.filter((_, index) => isEmpty(index)));
    const now = this.clock.now().getTime();
    const behind = groups.flatMap(([, streams], index) => {
      const [position, page] = [positions[index], pages[index]?.events ?? []];
      const newest = position && newestOfExpired.get(position);
      if (newest !== undefined) for (const stream of streams) stream.resyncTopic(topic, newest, now);
      return page.length === 0 ? [] : streams.map((stream) => ({ stream, page }));
    });
    const readings = behind.slice(0, MAX_STREAMS);
    const isPartial = behind.length > readings.length || byPosition.size > groups.length;
    return { readings, hasMore: isPartial || pages.some(({ hasMore }) => hasMore) };
  }

  /**
   * Publishes the events that were read. Their counts must arrive neither before older counts of the user's log nor
   * after newer ones. So a stream receives them only if it has sent all of that log, and no event was added meanwhile.
   */
  async #publish(
    topic: TopicLog,
    readings: Reading[],
  ): Promise<{ published: number; waiting: EventStream[] }> {
    const before = readings.map(({ stream }) => stream.position);
    const userIds = [...new Set(readings.map(({ stream }) => stream.userId))];
    const events = new Map(readings.flatMap(({ page }) => page.map((event) => [event.seq, event])));
    const view = await this.sources.topics?.viewFor(topic, [...events.values()], userIds);
    const cursors = await this.events.cursorsOf(userIds.map(userLog));
    const now = this.clock.now().getTime();
    const waiting: EventStream[] = [];
    let published = 0;
    for (const [index, { stream, page }] of readings.entries()) {
      if (stream.isOver) continue;
      const cursor = cursors.get(stream.log) ?? 0;
      if (stream.position !== before[index] || stream.position < cursor) {
        if (stream.askToReadOn()) waiting.push(stream);
        continue;
      }
      if (!view || !stream.publish(topic, page, view, now)) this.subscriptions.leave(stream, topic);
      published += 1;
    }
    return { published, waiting };
  }
}
