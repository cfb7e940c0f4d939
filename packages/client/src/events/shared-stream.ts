import { type Channel, elapsed, holdLock, openChannel, pause } from '../environment.js';
import type { UserEvent } from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import type { Stream, StreamState } from './listener.js';
import { readStream } from './own-stream.js';
import { catchUp } from './polling.js';

/** What tabs tell each other. `id`: the cursor of an event, where it has one. */
type Message =
  | { kind: 'hello' }
  | { kind: 'alive'; state: StreamState; cursor: number | undefined }
  | { kind: 'event'; event: UserEvent; id: number | undefined }
  | { kind: 'state'; state: StreamState }
  | { kind: 'resync'; cursor: number };

/** The holder hears something every 15 s and passes that on; one that was put to sleep is replaced after this. */
const ASLEEP_MS = 55_000;
const LOOK_EVERY_MS = 5_000;
/** Who has lost the lock waits this long before it asks again. */
const LOST_MS = 1_000;

/**
 * One stream for all tabs of a browser, which has six connections to an origin over HTTP/1.1: a Web Lock decides which tab
 * reads it, a BroadcastChannel tells the others. When that tab is closed another goes on, after the last event that itself
 * has heard.
 */
export class SharedStream {
  readonly #transport: Transport;
  readonly #stream: Stream;
  readonly #name: string;
  readonly #channel: Channel<Message>;
  #cursor: number | undefined;
  #state: StreamState | undefined;
  #isHolder = false;
  #heardAt = elapsed();
  /** What comes while it is fetched what came before. */
  #late: Message[] | undefined;

  constructor(transport: Transport, stream: Stream, userId: number) {
    this.#transport = transport;
    this.#stream = stream;
    this.#cursor = stream.after;
    this.#name = `callboard events ${transport.baseUrl} ${userId}`;
    this.#channel = openChannel<Message>(this.#name, (message) => this.#hear(message));
  }

  /** Hands events on until the stream's signal aborts. @throws {CallboardError} as `readStream` */
  async run(): Promise<void> {
    const { signal } = this.#stream;
    const looking = setInterval(() => this.#lookAfterHolder(), LOOK_EVERY_MS);
    this.#setState('connecting');
    this.#channel.post({ kind: 'hello' });
    try {
      // A tab that sleeps too long loses the lock, and waits for it again.
      while (!signal.aborted) {
        await this.#holdWhenFree();
        await pause(LOST_MS, signal);
      }
    } finally {
      clearInterval(looking);
      this.#channel.close();
    }
  }

  /** @throws {CallboardError} as `readStream` */
  async #holdWhenFree(): Promise<void> {
    const { signal } = this.#stream;
    const failures: unknown[] = [];
    const hold = (lost: AbortSignal): Promise<void> =>
      this.#hold(lost).catch((error: unknown) => void failures.push(error));
    await holdLock(this.#name, hold, { signal });
    if (failures.length > 0 && !signal.aborted) throw failures[0];
  }

  /** Reads the stream for all, as long as the lock is this tab's. */
  async #hold(lost: AbortSignal): Promise<void> {
    this.#isHolder = true;
    try {
      await readStream(this.#transport, {
        after: this.#cursor,
        signal: lost,
        onEvent: (event, id) => this.#tell({ kind: 'event', event, id }),
        onState: (state) => this.#tell({ kind: 'state', state }),
        onResync: (cursor) => this.#tell({ kind: 'resync', cursor }),
        onBegin: (cursor) => {
          this.#cursor ??= cursor;
          this.#stream.onBegin?.(cursor);
        },
        onAlive: () => this.#sayAlive(),
      });
    } finally {
      this.#isHolder = false;
    }
  }

  #tell(message: Message): void {
    this.#channel.post(message);
    this.#take(message);
  }

  #sayAlive(): void {
    this.#channel.post({ kind: 'alive', state: this.#state ?? 'connecting', cursor: this.#cursor });
  }

  #hear(message: Message): void {
    if (message.kind === 'hello') {
      if (this.#isHolder) this.#sayAlive();
      return;
    }
    this.#heardAt = elapsed();
    // One that lost the lock in its sleep may still say something.
    if (this.#isHolder) return;
    if (this.#late !== undefined && message.kind !== 'alive') this.#late.push(message);
    else if (message.kind === 'alive') this.#follow(message.state, message.cursor);
    else this.#take(message);
  }

  /** What this tab has not heard of, because it came later, is fetched once. */
  #follow(state: StreamState, cursor: number | undefined): void {
    this.#cursor ??= cursor;
    if (this.#late !== undefined || cursor === undefined || (this.#cursor ?? 0) >= cursor) {
      if (this.#state !== state && this.#late === undefined) this.#setState(state);
      return;
    }
    this.#late = [];
    const take = (event: UserEvent, id: number | undefined): void => this.#take({ kind: 'event', event, id });
    const onResync = (newest: number): void => this.#take({ kind: 'resync', cursor: newest });
    catchUp(this.#transport, this.#cursor ?? 0, { signal: this.#stream.signal, onEvent: take, onResync })
      // The next sign of life asks again.
      .catch(() => undefined)
      .finally(() => {
        const late = this.#late ?? [];
        this.#late = undefined;
        for (const message of late) this.#take(message);
        if (this.#state !== state) this.#setState(state);
      });
  }

  /** Hands on what is new to this tab. */
  #take(message: Message): void {
    if (this.#stream.signal.aborted) return;
    if (message.kind === 'state') this.#setState(message.state);
    else if (message.kind === 'resync') {
      this.#cursor = message.cursor;
      this.#stream.onResync?.(message.cursor);
    } else if (message.kind === 'event') {
      const { event, id } = message;
      if (id !== undefined && this.#cursor !== undefined && id <= this.#cursor) return;
      this.#cursor = id ?? this.#cursor;
      this.#stream.onEvent?.(event, id);
    }
  }

  #setState(state: StreamState): void {
    this.#state = state;
    this.#stream.onState?.(state);
  }

  /** Takes the lock of a tab that was put to sleep with it. */
  #lookAfterHolder(): void {
    if (this.#isHolder || elapsed() - this.#heardAt < ASLEEP_MS) return;
    this.#heardAt = elapsed();
    void holdLock(this.#name, (lost) => this.#hold(lost), { signal: this.#stream.signal, steal: true });
  }
}
