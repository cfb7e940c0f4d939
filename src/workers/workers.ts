import { randomUUID } from 'node:crypto';
import type { Link } from './link';

/** Topics of the messages between workers and primary. */
export const BROADCAST = 'broadcast';
export const COLLECT = 'collect';
export const READY = 'ready';
export const CHECK = 'check';

/** Position of a worker in its service. */
export interface WorkerPlace {
  /** Id of the service, shared by its workers. */
  serviceId: string;
  /** From 1. A worker that replaces another one has its number. */
  number: number;
}

/** A message for the other workers; `name` selects the handler. */
interface Broadcast {
  name: string;
  body: unknown;
}

/**
 * The worker processes of this service (`WEB_CONCURRENCY`), as one of them sees them. They exchange messages through
 * the primary. Without workers the process is the whole service, and nothing is sent.
 */
export class Workers {
  /** Id of the service, shared by its workers. */
  readonly serviceId: string;
  /** Number of this worker from 1; undefined without workers. */
  readonly number?: number;
  readonly #collected = new Map<string, () => unknown>();
  readonly #listeners = new Map<string, (body: unknown) => void>();

  /** @param link connection to the primary; undefined without workers */
  constructor(
    private readonly link?: Link,
    place?: WorkerPlace,
  ) {
    this.serviceId = place?.serviceId ?? randomUUID();
    this.number = place?.number;
    link?.handle(CHECK, () => undefined);
    link?.handle(COLLECT, (name: string) => this.#collected.get(name)?.());
    link?.handle(BROADCAST, ({ name, body }: Broadcast) => this.#listeners.get(name)?.(body));
  }

  /** Whether the service has several processes. */
  get areUsed(): boolean {
    return this.link !== undefined;
  }

  /** Whether this process does the work that one process of the service does for all. */
  get isFirst(): boolean {
    return this.number === undefined || this.number === 1;
  }

  /** Sends a message to all other workers of the service. It may be lost. */
  broadcast(name: string, body: unknown): void {
    this.link?.notify(BROADCAST, { name, body } satisfies Broadcast);
  }

  /** Registers the handler for the messages of a name from other workers. */
  onBroadcast(name: string, listener: (body: unknown) => void): void {
    this.#listeners.set(name, listener);
  }

  /** Registers the contribution of this process to `collect`. */
  contribute(name: string, read: () => unknown): void {
    this.#collected.set(name, read);
  }

  /** Returns the contributions of all ready workers, without those that do not respond within 2 s. */
  async collect<T>(name: string): Promise<T[]> {
    if (this.link !== undefined) return this.link.ask<T[]>(COLLECT, name);
    return [(await this.#collected.get(name)?.()) as T];
  }

  /**
   * Asks the primary, which must exist.
   * @throws {Error} as `Link.ask`
   */
  ask<T>(topic: string, body: unknown): Promise<T> {
    if (this.link === undefined) throw new Error('There is no primary without workers');
    return this.link.ask<T>(topic, body);
  }

  /** Reports to the primary that this worker accepts requests. */
  reportReady(): void {
    this.link?.notify(READY, undefined);
  }
}
