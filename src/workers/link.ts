/** Maximum wait for the reply of the other process. */
const REPLY_TIMEOUT_MS = 5_000;
/** Messages that wait while a batch is being written. Above that, messages without a reply are dropped. */
const MAX_QUEUED = 10_000;

/** Handles a message of the other process. The result is the reply, if the message asks for one. */
export type LinkHandler = (body: never) => unknown;

/** `ask`: number of the question. */
interface LinkMessage {
  topic: string;
  body: unknown;
  ask?: number;
}

/** `failed`: the handler has thrown, or there is none. */
interface LinkReply {
  reply: number;
  body?: unknown;
  failed?: true;
}

type Packet = LinkMessage | LinkReply;

interface Pending {
  resolve: (body: never) => void;
  reject: (error: Error) => void;
}

/** A process with a channel for messages: `process` in a worker, a worker of `node:cluster` in the primary. */
export interface LinkEnd {
  send?(message: object, callback?: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/**
 * The connection between a worker and the primary: messages with a topic, with or without a reply. Messages of one turn
 * of the event loop are sent as one, and while one is being written, later ones are queued. A message to a process that
 * does not read is dropped instead of queued without limit.
 */
export class Link {
  readonly #handlers = new Map<string, LinkHandler>();
  readonly #pending = new Map<number, Pending>();
  #queue: Packet[] = [];
  #isSending = false;
  #isClosed = false;
  #asked = 0;

  constructor(private readonly end: LinkEnd) {
    end.on('message', (message) => {
      for (const packet of packetsIn(message)) this.#receive(packet);
    });
  }

  /** Registers the handler for messages of a topic. */
  handle(topic: string, handler: LinkHandler): void {
    this.#handlers.set(topic, handler);
  }

  /** Sends a message without a reply. It is dropped if the other process has not read the last 10,000. */
  notify(topic: string, body: unknown): void {
    if (this.#queue.length < MAX_QUEUED) this.#enqueue({ topic, body });
  }

  /**
   * Sends a message and returns the reply.
   * @throws {Error} if the handler fails, the link is closed, or there is no reply within `timeoutMs`
   */
  ask<T>(topic: string, body: unknown, timeoutMs = REPLY_TIMEOUT_MS): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('The link is closed'));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const ask = (this.#asked += 1);
    const timer = setTimeout(
      () => reject(new Error(`No reply to ${topic} within ${timeoutMs} ms`)),
      timeoutMs,
    );
    this.#pending.set(ask, { resolve, reject });
    this.#enqueue({ topic, body, ask });
    return promise.finally(() => {
      clearTimeout(timer);
      this.#pending.delete(ask);
    });
  }

  /** Fails all pending questions: the other process has ended. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#pending.values()) reject(new Error('The link is closed'));
  }

  #enqueue(packet: Packet): void {
    this.#queue.push(packet);
    if (this.#queue.length === 1 && !this.#isSending) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const callboard = this.#queue;
    if (callboard.length === 0 || this.#isClosed) return;
    this.#queue = [];
    this.#isSending = true;
    this.end.send?.({ callboard }, () => {
      this.#isSending = false;
      this.#flush();
    });
  }

  #receive(packet: Packet): void {
    if ('topic' in packet) void this.#answer(packet);
    else if (packet.failed) this.#pending.get(packet.reply)?.reject(new Error('The other process failed'));
    else this.#pending.get(packet.reply)?.resolve(packet.body as never);
  }

  async #answer({ topic, body, ask }: LinkMessage): Promise<void> {
    const handler = this.#handlers.get(topic);
    const reply = await new Promise((resolve, reject) => {
      if (handler === undefined) reject(new Error(`No handler of ${topic}`));
      else resolve(handler(body as never));
    }).then(
      (result): Partial<LinkReply> => ({ body: result }),
      (): Partial<LinkReply> => ({ failed: true }),
    );
    if (ask !== undefined) this.#enqueue({ ...reply, reply: ask });
  }
}

/** Returns the packets of a message of the other process. Node and libraries send messages of their own. */
function packetsIn(message: unknown): Packet[] {
  const { callboard } = (typeof message === 'object' && message !== null ? message : {}) as {
    callboard?: Packet[];
  };
  return callboard ?? [];
}
