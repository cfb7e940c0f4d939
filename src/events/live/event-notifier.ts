import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, Logger } from '@nestjs/common';
import type Redis from 'ioredis';
import { RedisConnection } from '../../redis/redis-connection';
import type { Observable } from 'rxjs';
import { type ConnectionChange, StreamRegistry } from './stream-registry';
import {
  type InstanceMessage,
  type EphemeralEvent,
  parseInstanceMessage,
  type Signal,
} from './instance-message';
import { toFrame } from '../log/event';
import { EventSources } from '../event-sources';
import { PeriodicJob } from '../../common/jobs/periodic-job';
import { SingleFlight } from '../../common/concurrency/single-flight';

const CHANNEL = 'callboard:events';
const TICK_MS = 1_000;
/** Interval of the polls, in ticks, while Redis is connected. They find events whose notification was lost. */
const TICKS_BETWEEN_POLLS = 5;

/**
 * Notifies streams of commits: of this instance immediately, of other instances through Redis. Redis messages only name
 * the logs to read, so a lost message delays events but loses none. Without Redis every instance polls once a second.
 */
@Injectable()
export class EventNotifier implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(EventNotifier.name);
  readonly #instance = randomUUID();
  readonly #handlers = new Map<string, (body: unknown) => void>();
  #subscriber?: Redis;
  #isSubscribed = false;
  #ticks = 0;
  readonly #ticking = new PeriodicJob(this, {
    name: 'event_polling',
    everyMs: TICK_MS,
    run: async () => this.#tick(),
    onFailure: 'Event polling failed, retrying on the next run',
  });
  readonly #poll = new SingleFlight(
    () => this.registry.poll(),
    (error) => this.#log.warn(`Failed to poll for events, retrying on the next poll: ${String(error)}`),
  );
  /** Separate from the poll, which must not wait while deferred events of many users are written. */
  readonly #catchUp = new SingleFlight(
    async () => {
      if (this.registry.userIds.length > 0)
        await this.sources.deferred?.catchUpAll(() => this.registry.userIds);
    },
    (error) => this.#log.warn(`Failed to write deferred events, retrying on the next poll: ${String(error)}`),
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

  /** Whether a notification may have a recipient: a stream of this instance, or another instance through Redis. */
  get hasConnections(): boolean {
    return this.redis.client !== undefined || this.registry.userIds.length > 0;
  }

  /** Emits when the first stream of a user opens on this instance, and when the last one closes. */
  get connectionChanges(): Observable<ConnectionChange> {
    return this.registry.connectionChanges;
  }

  /** Ids of the users with an open stream on this instance. */
  get connectedUserIds(): number[] {
    return this.registry.userIds;
  }

  /** Number of open streams on this instance. */
  get streamCount(): number {
    return this.registry.streamCount;
  }

  /** Whether this instance is subscribed to Redis, and so receives signals of other instances. */
  get isSubscribed(): boolean {
    return this.#isSubscribed;
  }

  /** Registers the handler for signals of a name. */
  onSignal(name: string, handler: (body: unknown) => void): void {
    this.#handlers.set(name, handler);
  }

  /** Notifies this instance immediately, and the others through Redis. Called after the commit. */
  notifyCommitted(announcement: InstanceMessage): void {
    const notification = 'logs' in announcement ? { logs: [...new Set(announcement.logs)] } : announcement;
    this.#handle(notification);
    const message = JSON.stringify(withSender(notification, this.#instance));
    this.redis.client?.publish(CHANNEL, message).catch(() => undefined);
  }

  async #subscribe(subscriber: Redis): Promise<void> {
    try {
      await subscriber.subscribe(CHANNEL);
      this.#isSubscribed = true;
      // Finds events that were published before the subscription.
      this.#pollNow();
    } catch (error) {
      this.#log.warn(
        `Failed to subscribe to Redis, reconnecting and polling the database meanwhile: ${String(error)}`,
      );
      subscriber.disconnect(true);
    }
  }

  /** Must not throw: the client emits messages in its socket's handler, where an error would end the process. */
  #receive(message: string): void {
    const notification = parseInstanceMessage(message);
    try {
      if (notification !== undefined) this.#handle(notification);
    } catch (error) {
      this.#log.warn(`Failed to handle a message of another instance, ignoring it: ${String(error)}`);
    }
  }

  #handle(notification: InstanceMessage): void {
    if ('everybody' in notification) this.#pollNow();
    else if ('live' in notification) this.#sendLive(notification.live);
    else if ('signal' in notification) this.#handleSignal(notification.signal);
    else this.registry.wake(notification.logs);
  }

  #sendLive({ userIds, created_at, ...event }: EphemeralEvent): void {
    if (event.from === this.#instance) return;
    this.registry.broadcast(userIds, toFrame({ ...event, created_at: new Date(created_at) }));
  }

  #handleSignal({ name, body, from }: Signal): void {
    if (from !== this.#instance) this.#handlers.get(name)?.(body);
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

/** Adds the sender, so that this instance ignores its own message when it comes back from Redis. */
function withSender(notification: InstanceMessage, from: string): InstanceMessage {
  if ('live' in notification) return { live: { ...notification.live, from } };
  return 'signal' in notification ? { signal: { ...notification.signal, from } } : notification;
}
