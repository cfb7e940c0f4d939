import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, Logger } from '@nestjs/common';
import type Redis from 'ioredis';
import { RedisConnection } from '../../redis/redis-connection';
import type { Observable } from 'rxjs';
import { type ListeningChange, StreamRegistry } from './stream-registry';
import { type Announcement, type Live, parseAnnouncement, type Signal } from './announcement';
import { toFrame } from '../log/event';
import { EventSources } from '../event-sources';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { SingleFlight } from '../../common/concurrency/single-flight';

const CHANNEL = 'callboard:events';
const TICK_MS = 1_000;
/** With Redis there, a poll so many ticks apart catches what a lost message would have said. */
const TICKS_BETWEEN_POLLS = 5;

/**
 * How streams learn of commits: those of this instance at once, those of others through Redis. Redis only says whose
 * logs to read, so losing its messages costs time, never events: without it every instance polls once a second.
 */
@Injectable()
export class Wakeup implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(Wakeup.name);
  readonly #instance = randomUUID();
  readonly #hearers = new Map<string, (body: unknown) => void>();
  #subscriber?: Redis;
  #isSubscribed = false;
  #ticks = 0;
  readonly #ticking = new PeriodicJob(this, {
    name: 'event_polling',
    everyMs: TICK_MS,
    run: async () => this.#tick(),
    onFailure: 'Streams wait for the next tick',
  });
  readonly #poll = new SingleFlight(
    () => this.registry.poll(),
    (error) => this.#log.warn(`Events wait for the next poll: ${String(error)}`),
  );
  /** Apart from the poll, which must not wait while many catch up. */
  readonly #catchUp = new SingleFlight(
    async () => {
      if (this.registry.userIds.length > 0) await this.sources.late?.catchUpAll(() => this.registry.userIds);
    },
    (error) => this.#log.warn(`Late events wait for the next poll: ${String(error)}`),
  );

  constructor(
    private readonly registry: StreamRegistry,
    private readonly sources: EventSources,
    private readonly redis: RedisConnection,
  ) {}

  onApplicationBootstrap(): void {
    this.#ticking.start();
    const subscriber = this.redis.client?.duplicate({ autoResubscribe: false });
    if (subscriber === undefined) return;
    this.#subscriber = subscriber;
    subscriber.on('error', () => undefined);
    subscriber.on('close', () => (this.#isSubscribed = false));
    subscriber.on('ready', () => void this.#subscribe(subscriber));
    subscriber.on('message', (_channel: string, message: string) => this.#receive(message));
    subscriber.connect().catch(() => undefined);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#ticking.stop();
    this.#subscriber?.disconnect();
    await Promise.all([this.#poll.stop(), this.#catchUp.stop()]);
  }

  /** Whether anybody may hear an announcement: streams are open here, or there may be other instances. */
  get hasListeners(): boolean {
    return this.redis.client !== undefined || this.registry.userIds.length > 0;
  }

  /** Users who begin to listen here, and who do so no longer. */
  get listening(): Observable<ListeningChange> {
    return this.registry.listening;
  }

  /** The users who listen here. */
  get listeners(): number[] {
    return this.registry.userIds;
  }

  /** How many streams are open here. */
  get streamCount(): number {
    return this.registry.streamCount;
  }

  /** Whether signals of other instances arrive; else nobody brings them. */
  get hearsOthers(): boolean {
    return this.#isSubscribed;
  }

  /** Registers the receiver of the signals of a name. */
  hear(name: string, hearer: (body: unknown) => void): void {
    this.#hearers.set(name, hearer);
  }

  /** Something that happened is committed. */
  announce(announcement: Announcement): void {
    const once = 'logs' in announcement ? { logs: [...new Set(announcement.logs)] } : announcement;
    this.#wake(once);
    this.redis.client?.publish(CHANNEL, JSON.stringify(signed(once, this.#instance))).catch(() => undefined);
  }

  async #subscribe(subscriber: Redis): Promise<void> {
    try {
      await subscriber.subscribe(CHANNEL);
      this.#isSubscribed = true;
      // Whatever was announced while nobody heard it.
      this.#pollNow();
    } catch (error) {
      this.#log.warn(`Not subscribed, the database is polled instead: ${String(error)}`);
      subscriber.disconnect(true);
    }
  }

  /** An error thrown here would end the process: the client emits messages from the handler of its socket. */
  #receive(message: string): void {
    const announcement = parseAnnouncement(message);
    try {
      if (announcement !== undefined) this.#wake(announcement);
    } catch (error) {
      this.#log.warn(`A message of another instance was ignored: ${String(error)}`);
    }
  }

  #wake(announcement: Announcement): void {
    if ('everybody' in announcement) this.#pollNow();
    else if ('live' in announcement) this.#tell(announcement.live);
    else if ('signal' in announcement) this.#pass(announcement.signal);
    else this.registry.wake(announcement.logs);
  }

  #tell({ userIds, created_at, ...event }: Live): void {
    if (event.from === this.#instance) return;
    this.registry.tell(userIds, toFrame({ ...event, created_at: new Date(created_at) }));
  }

  #pass({ name, body, from }: Signal): void {
    if (from !== this.#instance) this.#hearers.get(name)?.(body);
  }

  #tick(): void {
    this.#ticks += 1;
    this.registry.tick();
    if (this.#isSubscribed && this.#ticks % TICKS_BETWEEN_POLLS !== 0) return;
    this.#poll.runIfIdle();
    this.#catchUp.runIfIdle();
  }

  #pollNow(): void {
    this.#poll.run();
    this.#catchUp.run();
  }
}

/** What has been done here at once is not done again when it comes back by Redis. */
function signed(announcement: Announcement, from: string): Announcement {
  if ('live' in announcement) return { live: { ...announcement.live, from } };
  return 'signal' in announcement ? { signal: { ...announcement.signal, from } } : announcement;
}
