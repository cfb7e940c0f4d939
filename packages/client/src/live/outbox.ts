import { CallboardError } from '../errors.js';
import { Backoff } from '../events/backoff.js';
import type { MessageResponse, SendMessageRequest } from '../generated/types.gen.js';
import { uniqueId } from '../unique-id.js';

/** A message that is queued, being sent, or has failed. */
export interface PendingMessage {
  /** The `client_msg_id` of every attempt, so that the service stores the message once. */
  clientMsgId: string;
  body: SendMessageRequest;
  /** The reason why sending failed; undefined while the message is queued or being sent. */
  error: CallboardError | undefined;
}

interface OutboxOptions {
  send: (body: SendMessageRequest) => Promise<MessageResponse>;
  /** Called with each message that the service has stored. */
  onSent: (message: MessageResponse) => void;
  /** Called after each change of `pending`. */
  onChange: () => void;
  /** Returns the signal that stops automatic retries. */
  signal: () => AbortSignal;
}

/** Sends messages one at a time, in the order in which they were written, each once. */
export class Outbox {
  #pending: readonly PendingMessage[] = [];
  #running: Promise<void> | undefined;
  readonly #backoff = new Backoff();
  #isWaiting = false;

  constructor(private readonly options: OutboxOptions) {}

  /** Messages that the service does not have yet, oldest first. */
  get pending(): readonly PendingMessage[] {
    return this.#pending;
  }

  /**
   * Adds a message, unless its `client_msg_id` is pending already. Resolves when all messages have been tried. `error`: the message
   * was rejected with it before a reload, and is not sent until `retry`.
   */
  async add(body: SendMessageRequest, error?: CallboardError): Promise<void> {
    const clientMsgId = body.client_msg_id ?? uniqueId();
    if (!this.#pending.some((message) => message.clientMsgId === clientMsgId))
      this.#set([...this.#pending, { clientMsgId, body: { ...body, client_msg_id: clientMsgId }, error }]);
    await this.resume();
  }

  /**
   * Sends the messages that were delayed by a broken connection, an overloaded service or the end of a session. They are sent
   * before messages that were written later.
   */
  async resume(): Promise<void> {
    if (this.#pending.some(isDelayed))
      this.#set(this.#pending.map((message) => (isDelayed(message) ? withoutError(message) : message)));
    await this.#run();
  }

  /** Sends a rejected message again, without its quote if the quoted message was recalled or deleted. */
  async retry(clientMsgId: string): Promise<void> {
    if (!this.#pending.some((message) => message.clientMsgId === clientMsgId && message.error !== undefined))
      return;
    this.#set(
      this.#pending.map((message) => (message.clientMsgId === clientMsgId ? withoutError(message) : message)),
    );
    await this.resume();
  }

  /** Removes the messages that match `condition`: they were discarded, or are in the history. */
  remove(condition: (pending: PendingMessage) => boolean): void {
    if (this.#pending.some(condition)) this.#set(this.#pending.filter((message) => !condition(message)));
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
        this.#backoff.markConnected();
        this.options.onSent(message);
        this.remove(({ clientMsgId }) => clientMsgId === next.clientMsgId);
      } catch (cause) {
        const error = toError(cause);
        this.#fail(next, error);
        if (error.isTransient) void this.#resumeLater(error);
      }
    }
  }

  /** Retries after a delay, because no event reports that the connection works again. */
  async #resumeLater(error: CallboardError): Promise<void> {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const signal = this.options.signal();
    await this.#backoff.wait(signal, error);
    this.#isWaiting = false;
    if (!signal.aborted) await this.resume();
  }

  /** Sets the error of a message. If sending may succeed later, sets it for the messages after it too, to keep the order. */
  #fail({ clientMsgId }: PendingMessage, error: CallboardError): void {
    const fails = (message: PendingMessage): boolean =>
      message.clientMsgId === clientMsgId || (message.error === undefined && isDelayed({ error }));
    this.#set(this.#pending.map((message) => (fails(message) ? { ...message, error } : message)));
  }

  #set(pending: readonly PendingMessage[]): void {
    this.#pending = pending;
    this.options.onChange();
  }
}

/**
 * Whether sending may succeed later: the error is transient, or the user may sign in again. It is 401 instead of
 * `signed_out` if the session ended right after a refresh: then the new token is rejected too.
 */
const isDelayed = ({ error }: Pick<PendingMessage, 'error'>): boolean =>
  error !== undefined && (error.isTransient || error.code === 'signed_out' || error.code === 401);

function withoutError({ clientMsgId, body, error }: PendingMessage): PendingMessage {
  const { reply_to_id: _, ...withoutQuote } = body;
  // A rejected request stores nothing, so the `client_msg_id` may be sent with another body.
  return { clientMsgId, body: error?.key === 'MESSAGE_NOT_FOUND' ? withoutQuote : body, error: undefined };
}

const toError = (cause: unknown): CallboardError =>
  cause instanceof CallboardError ? cause : new CallboardError('network', undefined, { cause });
