import { Injectable, Logger } from '@nestjs/common';
import type { Histogram } from 'prom-client';
import { Clock } from '../common/clock';
import { Metrics } from '../common/metrics';
import { EventLog } from './event-log';
import type { EventStream } from './event-stream';
import { EventTopics } from './event-topics';

/** Streams that read on together with one query, and how many events each gets from it. */
const BATCH = 100;
const PAGE = 100;

/**
 * The open streams of this instance. Who has something to read is `due`; one loop takes the due ones in batches and
 * reads for all of a batch at once, so neither a long catch-up nor a slow reader keeps the others waiting.
 */
@Injectable()
export class EventHub {
  readonly #log = new Logger(EventHub.name);
  readonly #streams = new Map<number, Set<EventStream>>();
  readonly #due = new Set<EventStream>();
  readonly #delays: Histogram;
  #isReading = false;

  constructor(
    private readonly events: EventLog,
    private readonly topics: EventTopics,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'callboard_event_streams',
      'Event streams that are open on this instance',
      () => this.streams.length,
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

  /** The streams of a user that are open here. */
  streamsOf(userId: number): EventStream[] {
    return [...(this.#streams.get(userId) ?? [])];
  }

  add(stream: EventStream): void {
    const own = this.#streams.get(stream.userId) ?? new Set();
    this.#streams.set(stream.userId, own.add(stream));
    this.#readOn(stream);
  }

  remove(stream: EventStream): void {
    stream.isOver = true;
    this.topics.remove(stream);
    this.#due.delete(stream);
    const own = this.#streams.get(stream.userId);
    own?.delete(stream);
    if (own?.size === 0) this.#streams.delete(stream.userId);
  }

  /** The stream's socket takes more. */
  resume(stream: EventStream): void {
    stream.drained();
    this.#readOn(stream);
  }

  /** One act has made something happen to these users and topics, perhaps. */
  wake(ids: number[]): void {
    const streams = ids.flatMap((id) => this.streamsOf(id));
    for (const stream of streams) this.#due.add(stream);
    const topics = ids.filter((id) => id < 0);
    if (topics.length > 0) this.topics.announced(topics, streams);
    void this.#read();
  }

  /** Looks for news of everybody who listens here: a few queries, however many they are. */
  async look(): Promise<void> {
    const userIds = this.userIds;
    if (userIds.length === 0) return;
    for (const [userId, cursor] of await this.events.cursorsOf(userIds)) {
      for (const stream of this.streamsOf(userId)) {
        if (stream.position < cursor) this.#due.add(stream);
      }
    }
    await this.topics.look(this.streams);
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
    this.topics.wake(stream);
    void this.#read();
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#due.size > 0 || this.topics.isDue) {
        // Everyone who is due once, then a topic: neither long logs nor busy groups keep the other waiting.
        for (let left = this.#due.size; left > 0; left -= BATCH) await this.#readBatch();
        for (const stream of await this.topics.tellNext()) this.#due.add(stream);
      }
    } catch (error) {
      // Nothing is lost: positions stand where they stood, and the next look finds who is behind.
      this.#log.warn(`Events wait for the next look: ${String(error)}`);
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
      if (stream.isStalled) continue;
      const key = `${stream.userId}:${stream.position}`;
      together.set(key, [...(together.get(key) ?? []), stream]);
    }
    if (together.size === 0) return;
    const groups = [...together.values()];
    const readings = groups.flatMap(([first]) =>
      first ? [{ userId: first.userId, after: first.position }] : [],
    );
    const pages = await this.events.read(readings, PAGE);
    const now = this.clock.now().getTime();
    for (const [index, streams] of groups.entries()) {
      const page = pages[index] ?? [];
      for (const stream of streams) {
        const newest = page.at(-1);
        // Clocks of instances differ a little, so an event may come from the future.
        if (newest && stream.keepsUp)
          this.#delays.observe(Math.max(0, now - newest.created_at.getTime()) / 1000);
        stream.send(page, now);
        stream.keepsUp = page.length < PAGE && !stream.isStalled;
        if (page.length === PAGE) this.#due.add(stream);
      }
    }
  }
}
