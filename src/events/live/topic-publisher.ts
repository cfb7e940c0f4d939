import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { EventSources } from '../event-sources';
import type { LoggedEvent } from '../log/event';
import { EventLog } from '../log/event-log';
import { type TopicLog, userLog } from '../log/log-id';
import type { EventStream } from './event-stream';
import { TopicFollowers } from './topic-followers';

/** How many events of a topic are published in one go, and to how many streams: in between, others have their turn. */
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
 * Publishes topics to the streams of this instance that follow them. A stream keeps its position in each topic and reads
 * on from there, as it does in its user's log, so a slow reader costs no memory here either.
 */
@Injectable()
export class TopicPublisher {
  constructor(
    private readonly followers: TopicFollowers,
    private readonly sources: EventSources,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Publishes what comes next in the topic whose turn it is.
   * @returns the streams that must read on in their own log first; the topic waits for them
   */
  async publishNext(): Promise<EventStream[]> {
    const topic = await this.followers.takeDue();
    if (topic === undefined) return [];
    const { readings, hasMore } = await this.#readNext(topic);
    if (readings.length === 0) return [];
    const { published, waiting } = await this.#publish(topic, readings);
    if (waiting.length > 0 || (published > 0 && hasMore)) this.followers.makeDue(topic);
    return waiting;
  }

  /** What comes next in a topic for the streams that follow it; those who are furthest first. */
  async #readNext(topic: TopicLog): Promise<{ readings: Reading[]; hasMore: boolean }> {
    const byPosition = Map.groupBy(this.followers.of(topic), (stream) => stream.positionIn(topic));
    const groups = [...byPosition].toSorted(([a], [b]) => b - a).slice(0, POSITIONS);
    if (groups.length === 0) return { readings: [], hasMore: false };
    const positions = groups.map(([after]) => ({ log: topic, after }));
    const pages = await this.events.read(positions, PAGE);
    const isEmpty = (index: number): boolean => pages[index]?.events.length === 0;
    const overtaken = await this.events.overtaken(positions.filter((_, index) => isEmpty(index)));
    const now = this.clock.now().getTime();
    const behind = groups.flatMap(([, streams], index) => {
      const [position, page] = [positions[index], pages[index]?.events ?? []];
      const newest = position && overtaken.get(position);
      if (newest !== undefined) for (const stream of streams) stream.resyncTopic(topic, newest, now);
      return page.length === 0 ? [] : streams.map((stream) => ({ stream, page }));
    });
    const readings = behind.slice(0, STREAMS);
    const isPart = behind.length > readings.length || byPosition.size > groups.length;
    return { readings, hasMore: isPart || pages.some(({ hasMore }) => hasMore) };
  }

  /**
   * Publishes what was read. What is said of counts must not be overtaken by what the user's own log says, nor the
   * other way round; so a stream gets it only if that log has stood still meanwhile and the stream has all of it.
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
      if (!view || !stream.publish(topic, page, view, now)) this.followers.leave(stream, topic);
      published += 1;
    }
    return { published, waiting };
  }
}
