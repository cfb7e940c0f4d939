import { Injectable, Logger } from '@nestjs/common';
import type { Histogram } from 'prom-client';
import { Subject } from 'rxjs';
import { Clock } from '../../common/clock';
import { Metrics } from '../../common/metrics';
import { EventLog } from '../log/event-log';
import type { Page } from '../log/event-pages';
import { isTopic, type LogId, userLog } from '../log/log-id';
import type { EventStream } from './event-stream';
import { TopicFollowers } from './topic-followers';
import { TopicPublisher } from './topic-publisher';

/** Streams that read on together with one query, and how many events each gets from it. */
const BATCH = 100;
const PAGE = 100;
const NOTHING: Page = { events: [], hasMore: false };
/** Streams that a user may have open on one instance: more terminals than anybody has, and no crowd. */
const STREAMS_PER_USER = 20;

/** A user begins to listen here, or does so no longer. */
export interface ListeningChange {
  userId: number;
  listens: boolean;
}

/**
 * The open streams of this instance. Who has something to read is `due`; one loop takes the due ones in batches and
 * reads for all of a batch at once, so neither a long catch-up nor a slow reader keeps the others waiting.
 */
@Injectable()
export class StreamRegistry {
  /** Users whose first stream has opened here, or whose last has closed. */
  readonly listening = new Subject<ListeningChange>();
  readonly #log = new Logger(StreamRegistry.name);
  readonly #streams = new Map<number, Set<EventStream>>();
  readonly #due = new Set<EventStream>();
  readonly #delays: Histogram;
  #isReading = false;

  constructor(
    private readonly events: EventLog,
    private readonly followers: TopicFollowers,
    private readonly publisher: TopicPublisher,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'callboard_event_streams',
      'Event streams that are open on this instance',
      () => this.streamCount,
    );
    const help = 'Time from the writing of an event to its sending on a stream that keeps up';
    this.#delays = metrics.durations('callboard_event_delay_seconds', help);
  }

  /** The users who listen here. */
  get userIds(): number[] {
    return [...this.#streams.keys()];
  }

  /** The streams that are open here. */
  get streams(): EventStream[] {
    return [...this.#streams.values()].flatMap((own) => [...own]);
  }

  /** How many streams are open here. */
  get streamCount(): number {
    let count = 0;
    for (const own of this.#streams.values()) count += own.size;
    return count;
  }

  /** The streams of a user that are open here. */
  streamsOf(userId: number): EventStream[] {
    return [...(this.#streams.get(userId) ?? [])];
  }

  /** Takes in a stream that has opened; the user's oldest one ends when there are too many. */
  add(stream: EventStream): void {
    const own = this.#streams.get(stream.userId) ?? new Set();
    this.#streams.set(stream.userId, own.add(stream));
    if (own.size === 1) this.listening.next({ userId: stream.userId, listens: true });
    const [oldest] = own;
    if (oldest !== undefined && own.size > STREAMS_PER_USER) {
      this.remove(oldest);
      oldest.end();
    }
    this.#readOn(stream);
  }

  remove(stream: EventStream): void {
    this.followers.remove(stream);
    this.#due.delete(stream);
    const own = this.#streams.get(stream.userId);
    own?.delete(stream);
    if (own?.size !== 0) return;
    this.#streams.delete(stream.userId);
    this.listening.next({ userId: stream.userId, listens: false });
  }

  /** The stream's socket takes more. */
  resume(stream: EventStream): void {
    stream.drained();
    this.#readOn(stream);
  }

  /** One act has written to these logs, perhaps. */
  wake(logs: LogId[]): void {
    const streams = logs.flatMap((log) => (isTopic(log) ? [] : this.streamsOf(log)));
    for (const stream of streams) this.#due.add(stream);
    const topics = logs.filter(isTopic);
    if (topics.length > 0) this.followers.announced(topics, streams);
    void this.#read();
  }

  /** Writes a frame without a cursor to the streams of these users that take it now. */
  tell(userIds: number[], frame: string): void {
    const now = this.clock.now().getTime();
    for (const userId of userIds) for (const stream of this.streamsOf(userId)) stream.tell(frame, now);
  }

  /** Finds out whether anything has happened to anybody who listens here: a few queries, however many they are. */
  async poll(): Promise<void> {
    if (this.#streams.size === 0) return;
    for (const [log, cursor] of await this.events.cursorsOf(this.userIds.map(userLog))) {
      for (const stream of this.streamsOf(log)) {
        if (stream.position < cursor) this.#due.add(stream);
      }
    }
    await this.followers.poll(this.streams);
    await this.#read();
  }

  /** Lets time pass for every stream. */
  tick(): void {
    const now = this.clock.now().getTime();
    for (const stream of this.streams) stream.tick(now);
  }

  endAll(): void {
    for (const stream of this.streams) stream.end();
  }

  #readOn(stream: EventStream): void {
    this.#due.add(stream);
    this.followers.wake(stream);
    void this.#read();
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#due.size > 0 || this.followers.isDue) {
        // Everyone who is due once, then a topic: neither long logs nor busy groups keep the other waiting.
        for (let left = this.#due.size; left > 0; left -= BATCH) await this.#readBatch();
        for (const stream of await this.publisher.publishNext()) this.#due.add(stream);
      }
    } catch (error) {
      // Nothing is lost: positions stand where they stood, and the next poll finds who is behind.
      this.#log.warn(`Events wait for the next poll: ${String(error)}`);
    } finally {
      this.#isReading = false;
    }
  }

  /** Takes some due streams; those of one user at one position share what is read. */
  async #readBatch(): Promise<void> {
    const together = new Map<string, EventStream[]>();
    for (const stream of this.#due) {
      if (together.size >= BATCH) break;
      this.#due.delete(stream);
      if (stream.isStalled || stream.isOver) continue;
      const key = `${stream.userId}:${stream.position}`;
      together.set(key, [...(together.get(key) ?? []), stream]);
    }
    if (together.size === 0) return;
    const groups = [...together.values()];
    const readings = groups.flatMap(([first]) => (first ? [{ log: first.log, after: first.position }] : []));
    const pages = await this.events.read(readings, PAGE);
    const overtaken = await this.events.overtaken(
      readings.filter((_, index) => pages[index]?.events.length === 0),
    );
    for (const [index, reading] of readings.entries()) {
      for (const stream of groups[index] ?? []) this.#send(stream, pages[index], overtaken.get(reading));
    }
  }

  /** @param newest the newest cursor, when the events that come next for the stream are gone */
  #send(stream: EventStream, page: Page = NOTHING, newest?: number): void {
    const now = this.clock.now().getTime();
    const last = page.events.at(-1);
    // Clocks of instances differ a little, so an event may come from the future.
    if (last && stream.keepsUp) this.#delays.observe(Math.max(0, now - last.created_at.getTime()) / 1000);
    if (newest !== undefined) stream.resync(newest, now);
    stream.send(page, now);
    if (page.hasMore) this.#due.add(stream);
  }
}
