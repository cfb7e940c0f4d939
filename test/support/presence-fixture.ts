import type { AddressInfo } from 'node:net';
import { StreamRegistry } from '../../src/events/live/stream-registry';
import { PresencePoller } from '../../src/people/presence/presence-poller';
import { PresenceWriter } from '../../src/people/presence/presence-writer';
import { EventReader } from './event-reader';
import { stopJob } from './jobs';
import type { PresenceItem } from './people';
import type { TestApp } from './test-app';
import { eventually } from './waiting';

/** Users with event streams, and users who watch their presence, on instances that listen on a port. */
export class PresenceFixture {
  readonly #readers: EventReader[] = [];

  /** Opens the user's event stream, which makes the user online. Resolves when the presence is written. */
  async connect(test: TestApp, userId: number): Promise<EventReader> {
    const reader = await this.openStream(test, userId);
    await this.runJobs(test);
    return reader;
  }

  /** Opens the user's event stream without waiting for the presence to be written. */
  openStream(test: TestApp, userId: number): Promise<EventReader> {
    return this.#open(test, userId, '/api/events');
  }

  /** Closes the stream, and waits until the instance has noticed it and written the presence. */
  async disconnect(test: TestApp, reader: EventReader): Promise<void> {
    const streams = test.app.get(StreamRegistry);
    const before = streams.streamCount;
    reader.close();
    await eventually(
      async () => streams.streamCount,
      (count) => count < before,
    );
    await this.runJobs(test);
  }

  /** Opens a presence stream. */
  watch(test: TestApp, userId: number, query: string, claims?: object): Promise<EventReader> {
    return this.#open(test, userId, `/api/presence/stream?${query}`, claims);
  }

  /**
   * Runs the jobs that run once a second, immediately. From the first call on, the presence is written only here: a run
   * of the timer could still be writing a change that this run then does not find.
   */
  async runJobs(...tests: TestApp[]): Promise<void> {
    for (const test of tests) await stopJob(test, 'presence_writing');
    for (const { app } of tests) await app.get(PresenceWriter).tick();
    for (const { app } of tests) await app.get(PresencePoller).tick();
  }

  /** Advances the clock in steps, so that no instance is considered dead. */
  async advance(seconds: number, ...tests: TestApp[]): Promise<void> {
    for (let left = seconds; left > 0; left -= 4) {
      tests[0]?.clock.advance(Math.min(left, 4));
      await this.runJobs(...tests);
    }
  }

  close(): void {
    for (const reader of this.#readers.splice(0)) reader.close();
  }

  async #open(test: TestApp, userId: number, path: string, claims = {}): Promise<EventReader> {
    const reader = await EventReader.open(urlOf(test), { userId, path, claims: { ...claims } });
    this.#readers.push(reader);
    return reader;
  }
}

const urlOf = ({ app }: TestApp): string =>
  `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;

/** Returns the items that a presence stream has sent, in order. */
export const presenceItemsOf = ({ frames }: EventReader): PresenceItem[] =>
  frames.map(({ data }) => data as PresenceItem);

export const offline = (user_id: number, last_seen_at: string | null = null): PresenceItem => ({
  user_id,
  online: false,
  last_seen_at,
});

export const online = (user_id: number): PresenceItem => ({ user_id, online: true, last_seen_at: null });
