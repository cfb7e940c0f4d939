import { Injectable, Logger } from '@nestjs/common';
import type { Histogram } from 'prom-client';
import { Subject } from 'rxjs';
import { Clock } from '../../common/clock';
import { runWithoutCaller } from '../../common/concurrency/current-caller';
import { Metrics } from '../../common/metrics';
import { EventLog } from '../log/event-log';
import type { EventPage } from '../log/event-pages';
import { isTopic, type LogId, userLog } from '../log/log-id';
import type { EventStream } from './event-stream';
import { TopicSubscriptions } from './topic-subscriptions';
import { TopicPublisher } from './topic-publisher';

/** Maximum number of reads, each of one user's log after one position, per query. */
const BATCH_SIZE = 100;
/** Maximum number of events per read. */
const PAGE_SIZE = 100;
const EMPTY_PAGE: EventPage = { events: [], hasMore: false };
/**
 * Maximum number of open streams of a user on one instance: more than a user has terminals, and still a small number.
 */
const MAX_STREAMS_PER_USER = 20;

/** The first stream of a user has opened on this instance, or the last one has closed. */
export interface ConnectionChange {
  userId: number;
  isConnected: boolean;
}

/**
 * The open streams of this instance. Streams that may have unread events are `due`; one loop reads for the due streams
 * in batches, with one query per batch, so that neither a stream with a long backlog nor a slow client delays the
 * others.
 */
@Injectable()
export class StreamRegistry {
  /** Emits when the first stream of a user opens on this instance, and when the last one closes. */
  readonly connectionChanges = new Subject<ConnectionChange>();
  readonly #log = new Logger(StreamRegistry.name);
  readonly #streams = new Map<number, Set<EventStream>>();
  readonly #due = new Set<EventStream>();
  readonly #delays: Histogram;
  #isReading = false;

  constructor(
    private readonly events: EventLog,
    private readonly subscriptions: TopicSubscriptions,
    private readonly publisher: TopicPublisher,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'callboard_event_streams',
      'Open event streams of this instance',
      () => this.streamCount,
      'sum',
    );
    const help = 'Time from writing an event to sending it on a stream without backlog';
    this.#delays = metrics.durations('callboard_event_delay_seconds', help);
  }

  /** Ids of the users with an open stream on this instance. */
  get userIds(): number[] {
    return [...this.#streams.keys()];
  }

  /** The open streams of this instance. */
  get streams(): EventStream[] {
    return [...this.#streams.values()].flatMap((userStreams) => [...userStreams]);
  }

  /** Number of open streams of this instance. */
  get streamCount(): number {
    let count = 0;
    for (const userStreams of this.#streams.values()) count += userStreams.size;
    return count;
  }

  /** The open streams of a user on this instance. */
  streamsOf(userId: number): EventStream[] {
    return [...(this.#streams.get(userId) ?? [])];
  }

  /** Registers an open stream. Ends the user's oldest stream if the user has more than `MAX_STREAMS_PER_USER`. */
  add(stream: EventStream): void {
    const userStreams = this.#streams.get(stream.userId) ?? new Set();
    this.#streams.set(stream.userId, userStreams.add(stream));
    if (userStreams.size === 1) this.connectionChanges.next({ userId: stream.userId, isConnected: true });
    const [oldest] = userStreams;
    if (oldest !== undefined && userStreams.size > MAX_STREAMS_PER_USER) {
      this.remove(oldest);
      oldest.end();
    }
    this.resume(stream);
  }

  remove(stream: EventStream): void {
    this.subscriptions.remove(stream);
    this.#due.delete(stream);
    const userStreams = this.#streams.get(stream.userId);
    userStreams?.delete(stream);
    if (userStreams?.size !== 0) return;
    this.#streams.delete(stream.userId);
    this.connectionChanges.next({ userId: stream.userId, isConnected: false });
  }

  /** Reads for a stream that has opened, or whose socket's buffer has drained. */
  resume(stream: EventStream): void {
    this.#due.add(stream);
    this.subscriptions.wake(stream);
    void this.#read();
  }

  /** Reads for the streams of these logs, to which one transaction may have written. */
  wake(logs: LogId[]): void {
    const streams = logs.flatMap((log) => (isTopic(log) ? [] : this.streamsOf(log)));
    for (const stream of streams) this.#due.add(stream);
    const topics = logs.filter(isTopic);
    if (topics.length > 0) this.subscriptions.announced(topics, streams);
    void this.#read();
  }

  /** Writes the frame of an ephemeral event to the streams of these users. Stalled streams do not receive it. */
  broadcast(userIds: number[], frame: string): void {
    const now = this.clock.now().getTime();
    for (const userId of userIds) for (const stream of this.streamsOf(userId)) stream.sendFrame(frame, now);
  }

  /** Checks for unsent events of all users with an open stream on this instance, with a few queries for all of them. */
  async poll(): Promise<void> {
    if (this.#streams.size === 0) return;
    for (const [log, cursor] of await this.events.cursorsOf(this.userIds.map(userLog))) {
      for (const stream of this.streamsOf(log)) {
        if (stream.position < cursor) this.#due.add(stream);
      }
    }
    await this.subscriptions.poll(this.streams);
    await this.#read();
  }

  /** Runs the timed work of every stream: comments and time-outs. Called once a second. */
  tick(): void {
    const now = this.clock.now().getTime();
    for (const stream of this.streams) stream.tick(now);
  }

  endAll(): void {
    for (const stream of this.streams) stream.end();
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      // The streams of all users wait for this loop, so it must not wait for the turn of the caller whose request started it.
      await runWithoutCaller(() => this.#readDue());
    } catch (error) {
      // No event is lost: the positions are unchanged, and the next poll finds the streams with unsent events.
      this.#log.warn(`Failed to read events, retrying on the next poll: ${String(error)}`);
    } finally {
      this.#isReading = false;
    }
  }

  async #readDue(): Promise<void> {
    while (this.#due.size > 0 || this.subscriptions.isDue) {
      // Reads once for every due stream, then for one topic: neither long logs nor busy groups delay the other.
      for (let remaining = this.#due.size; remaining > 0; remaining -= BATCH_SIZE) await this.#readBatch();
      for (const stream of await this.publisher.publishNext()) this.#due.add(stream);
    }
  }

  /** Reads for a batch of due streams. Streams of one user at the same position share a read. */
  async #readBatch(): Promise<void> {
    const byPosition = new Map<string, EventStream[]>();
    for (const stream of this.#due) {
      if (byPosition.size >= BATCH_SIZE) break;
      this.#due.delete(stream);
      if (!stream.canWrite) continue;
      const key = `${stream.userId}:${stream.position}`;
      byPosition.set(key, [...(byPosition.get(key) ?? []), stream]);
    }
    if (byPosition.size === 0) return;
    const groups = [...byPosition.values()];
    const readings = groups.flatMap(([first]) => (first ? [{ log: first.log, after: first.position }] : []));
    const pages = await this.events.read(readings, PAGE_SIZE);
    const newestOfExpired = await this.events.expired(
      readings.filter((_, index) => pages[index]?.events.length === 0),
    );
    for (const [index, reading] of readings.entries()) {
      for (const stream of groups[index] ?? [])
        this.#send(stream, pages[index], newestOfExpired.get(reading));
    }
  }

  /** @param newest the newest cursor, if the next events of the stream were deleted */
  #send(stream: EventStream, page: EventPage = EMPTY_PAGE, newest?: number): void {
    const now = this.clock.now().getTime();
    const last = page.events.at(-1);
    // Clocks of instances differ a little, so the time of an event may be in the future.
    if (last && stream.keepsUp) this.#delays.observe(Math.max(0, now - last.created_at.getTime()) / 1000);
    if (newest !== undefined) stream.resync(newest, now);
    stream.send(page, now);
    if (page.hasMore) this.#due.add(stream);
  }
}
