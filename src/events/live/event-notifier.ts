import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, Logger } from '@nestjs/common';
import { StreamRegistry } from './stream-registry';
import type { InstanceChannel } from './instance-channel';
import type { InstanceMessage } from './instance-message';
import { RedisChannel } from './redis-channel';
import { WorkerChannel } from './worker-channel';
import { toFrame } from '../log/event';
import { EventSources } from '../event-sources';
import { PeriodicJob } from '../../common/jobs/periodic-job';
import { SingleFlight } from '../../common/concurrency/single-flight';
import { TIMINGS } from '../../common/timings';

/** Interval of the polls, in ticks, while Redis is connected. They find events whose notification was lost. */
const TICKS_BETWEEN_POLLS = 5;

/**
 * Notifies streams of commits: of this process immediately, of others through the channels: Redis between instances,
 * the primary between the workers of one instance. Messages only name the logs to read, so a lost message delays events
 * but loses none. Without Redis every process polls once a second.
 */
@Injectable()
export class EventNotifier implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(EventNotifier.name);
  readonly #handlers = new Map<string, (body: unknown) => void>();
  readonly #channels: readonly InstanceChannel[];
  #ticks = 0;
  readonly #ticking = new PeriodicJob(this, {
    name: 'event_polling',
    everyMs: TIMINGS.eventTickMs,
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
    redis: RedisChannel,
    workers: WorkerChannel,
  ) {
    this.#channels = [redis, workers];
  }

  onApplicationBootstrap(): void {
    this.#ticking.start();
    for (const channel of this.#channels)
      channel.open(
        (message) => this.#receive(message),
        // Finds events that were published before the subscription.
        () => this.#pollNow(),
      );
  }

  async onModuleDestroy(): Promise<void> {
    await this.#ticking.stop();
    for (const channel of this.#channels) channel.close();
    await Promise.all([this.#poll.stop(), this.#catchUp.stop()]);
  }

  /** Whether a notification may have a recipient: a stream of this process, or another process through a channel. */
  get hasConnections(): boolean {
    return this.registry.userIds.length > 0 || this.#channels.some(({ isUsed }) => isUsed);
  }

  /** Whether this instance is subscribed to Redis, and so receives signals of other instances. */
  get isSubscribed(): boolean {
    return this.#channels.some(({ isSubscribed }) => isSubscribed);
  }

  /** Registers the handler for signals of a name. */
  onSignal(name: string, handler: (body: unknown) => void): void {
    this.#handlers.set(name, handler);
  }

  /** Handles a message in this process immediately, and sends it to the others. Called after the commit. */
  distribute(message: InstanceMessage): void {
    const distributed = 'logs' in message ? { logs: [...new Set(message.logs)] } : message;
    this.#handle(distributed);
    for (const channel of this.#channels) if (channel.isUsed) channel.publish(distributed);
  }

  /** Must not throw: the channels emit messages in a socket's handler, where an error would end the process. */
  #receive(message: InstanceMessage): void {
    try {
      this.#handle(message);
    } catch (error) {
      this.#log.warn(`Failed to handle a message of another instance, ignoring it: ${String(error)}`);
    }
  }

  #handle(message: InstanceMessage): void {
    if ('everybody' in message) this.#pollNow();
    else if ('signal' in message) this.#handlers.get(message.signal.name)?.(message.signal.body);
    else if ('logs' in message) this.registry.wake(message.logs);
    else {
      const { userIds, created_at, ...event } = message.live;
      this.registry.broadcast(userIds, toFrame({ ...event, created_at: new Date(created_at) }));
    }
  }

  #tick(): void {
    this.#ticks += 1;
    this.registry.tick();
    if (this.isSubscribed && this.#ticks % TICKS_BETWEEN_POLLS !== 0) return;
    this.#poll.runIfIdle();
    this.#catchUp.runIfIdle();
  }

  #pollNow(): void {
    this.#poll.run();
    this.#catchUp.run();
  }
}
