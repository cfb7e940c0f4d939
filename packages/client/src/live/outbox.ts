import { pause } from '../environment.js';
import { CallboardError } from '../errors.js';
import { Backoff } from '../events/backoff.js';
import type { MessageResponse, SendMessageRequest } from '../generated/types.gen.js';
import { uniqueId } from '../unique-id.js';

/** A message that is on its way, or that could not be sent. */
export interface PendingMessage {
  /** The id that it is sent with, however often. */
  clientMsgId: string;
  body: SendMessageRequest;
  /** Why it could not be sent; undefined while it is under way. */
  error: CallboardError | undefined;
}

interface OutboxOptions {
  send: (body: SendMessageRequest) => Promise<MessageResponse>;
  /** Told of what the service has taken. */
  onSent: (message: MessageResponse) => void;
  /** Told after each change. */
  onChange: () => void;
  /** Ends trying again by itself. */
  signal: () => AbortSignal;
}

/** Sends messages one after the other, so that they arrive in the order they were written in, each once. */
export class Outbox {
  #pending: readonly PendingMessage[] = [];
  #running: Promise<void> | undefined;
  readonly #backoff = new Backoff();
  #isWaiting = false;

  constructor(private readonly options: OutboxOptions) {}

  /** What the service does not have yet, the oldest first. */
  get pending(): readonly PendingMessage[] {
    return this.#pending;
  }

  /** Takes a message, unless it has it already. Resolves when all were tried. */
  async add(body: SendMessageRequest): Promise<void> {
    const clientMsgId = body.client_msg_id ?? uniqueId();
    if (!this.#pending.some((one) => one.clientMsgId === clientMsgId))
      this.#set([
        ...this.#pending,
        { clientMsgId, body: { ...body, client_msg_id: clientMsgId }, error: undefined },
      ]);
    await this.resume();
  }

  /**
   * Tries again what a broken connection, a busy service or the end of a session held up, before anything that was written
   * later.
   */
  async resume(): Promise<void> {
    if (this.#pending.some(isHeldUp))
      this.#set(this.#pending.map((one) => (isHeldUp(one) ? untried(one) : one)));
    await this.#run();
  }

  /** Tries again what was refused. */
  async retry(clientMsgId: string): Promise<void> {
    if (!this.#pending.some((one) => one.clientMsgId === clientMsgId && one.error !== undefined)) return;
    this.#set(this.#pending.map((one) => (one.clientMsgId === clientMsgId ? untried(one) : one)));
    await this.resume();
  }

  /** Forgets what meets the condition: it was discarded, or it has come back in the history. */
  forget(condition: (pending: PendingMessage) => boolean): void {
    if (this.#pending.some(condition)) this.#set(this.#pending.filter((one) => !condition(one)));
  }

  #run(): Promise<void> {
    if (!this.#pending.some(({ error }) => error === undefined)) return Promise.resolve();
    this.#running ??= this.#deliver();
    return this.#running;
  }

  async #deliver(): Promise<void> {
    for (;;) {
      const next = this.#pending.find(({ error }) => error === undefined);
      if (next === undefined) {
        this.#running = undefined;
        return;
      }
      try {
        const message = await this.options.send(next.body);
        this.#backoff.begin();
        this.options.onSent(message);
        this.forget(({ clientMsgId }) => clientMsgId === next.clientMsgId);
      } catch (cause) {
        const error = toError(cause);
        this.#fail(next, error);
        if (error.isTransient) void this.#resumeLater(error.retryAfter);
      }
    }
  }

  /** A connection that comes back may have broken nothing that anybody would hear of. */
  async #resumeLater(retryAfter: number | undefined): Promise<void> {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const signal = this.options.signal();
    await pause(this.#backoff.next(retryAfter), signal, { wakeable: true });
    this.#isWaiting = false;
    if (!signal.aborted) await this.resume();
  }

  /** What was written after a message that may still get through waits with it. */
  #fail({ clientMsgId }: PendingMessage, error: CallboardError): void {
    const fails = (one: PendingMessage): boolean =>
      one.clientMsgId === clientMsgId || (one.error === undefined && isHeldUp({ error }));
    this.#set(this.#pending.map((one) => (fails(one) ? { ...one, error } : one)));
  }

  #set(pending: readonly PendingMessage[]): void {
    this.#pending = pending;
    this.options.onChange();
  }
}

/** Nothing is wrong with the message itself. Whoever is signed out may sign in again. */
const isHeldUp = ({ error }: Pick<PendingMessage, 'error'>): boolean =>
  error !== undefined && (error.isTransient || error.code === 'signed_out');

const untried = (pending: PendingMessage): PendingMessage => ({ ...pending, error: undefined });

const toError = (cause: unknown): CallboardError =>
  cause instanceof CallboardError ? cause : new CallboardError('network', undefined, { cause });
