import { pause } from '../environment.js';
import type { CallboardError } from '../errors.js';
import type { Events } from '../events/events.js';
import { fetchCursor } from '../events/read-stream.js';
import type {
  ConversationResponse,
  MessageResponse,
  SendMessageRequest,
  UserEvent,
} from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import { LiveStore, type Snapshot } from './live-store.js';
import { applyToMessages, type Message, withMessage } from './message-history.js';
import { MessagePages, type MessageWindow, MAX_KEPT, withNewer, withOlder } from './message-pages.js';
import { Outbox, type PendingMessage } from './outbox.js';

export type { PendingMessage } from './outbox.js';

/** A window of a conversation's messages, initially the newest ones, and the messages that are being sent. */
export interface MessagesState extends MessageWindow {
  /** The user's own messages that the service does not have yet, oldest first. */
  pending: readonly PendingMessage[];
}

export interface LiveMessagesOptions {
  conversationId: number;
  /** Returns the id of the user whose history it is. */
  getUserId: () => Promise<number>;
  /** Page size, at most 100. Default: 50. */
  perPage?: number;
}

const GET = 'getConversation GET /api/messages/conversations/{id}';
const SEND = 'sendMessage POST /api/messages/conversations/{id}/messages key';
const READ = 'markConversationRead POST /api/messages/conversations/{id}/read';

/** Minimum interval between reloads of a group's read counts. */
const READERS_INTERVAL_MS = 3_000;

const EMPTY: MessagesState = { messages: [], hasOlder: false, hasNewer: false, pending: [] };

/**
 * A window of a conversation's history with its read state, kept up to date by events, and the messages that are being sent. It
 * contains the newest messages until older pages push them out, or the window jumps to another message.
 */
export class LiveMessages extends LiveStore<MessagesState> {
  readonly #transport: Transport;
  readonly #options: LiveMessagesOptions;
  readonly #pages: MessagePages;
  readonly #outbox: Outbox;
  #userId = 0;
  #isGroup = true;
  #isReloadPlanned = false;
  /** Changes each time the window moves to another part of the history. */
  #part = 0;
  /** Number of requested jumps. A jump that is not the latest one must not move the window any more. */
  #jumps = 0;
  /** One buffer per running page fetch, with the events that arrive meanwhile. */
  readonly #buffers = new Set<UserEvent[]>();
  #older: Promise<void> | undefined;
  #newer: Promise<void> | undefined;

  constructor(transport: Transport, events: Events, options: LiveMessagesOptions) {
    super(events);
    this.#transport = transport;
    this.#options = options;
    this.#pages = new MessagePages(transport, options.conversationId, options.perPage ?? 50);
    this.#outbox = new Outbox({
      send: (body) => this.#send(body),
      onSent: (message) => this.#change((state) => withSent(state, message)),
      onChange: () => this.#change(() => ({ pending: this.#outbox.pending })),
      signal: () => this.signal,
    });
  }

  /** Fetches one more page of older messages. Drops the newest ones if there are more than `MAX_KEPT`. */
  loadOlder(): Promise<void> {
    const oldest = this.getSnapshot()?.messages.at(-1);
    if (oldest === undefined || this.getSnapshot()?.hasOlder !== true) return Promise.resolve();
    this.#older ??= this.#move(
      (signal) => this.#pages.page({ before_id: oldest.id }, signal),
      (state, page) => (state.messages.at(-1)?.id === oldest.id ? withOlder(state, page) : undefined),
    ).finally(() => (this.#older = undefined));
    return this.#older;
  }

  /** Fetches one more page of newer messages, if the window does not contain the newest ones. */
  loadNewer(): Promise<void> {
    const newest = this.getSnapshot()?.messages[0];
    if (newest === undefined || this.getSnapshot()?.hasNewer !== true) return Promise.resolve();
    this.#newer ??= this.#move(
      (signal) => this.#pages.page({ after_id: newest.id }, signal),
      (state, page) => (state.messages[0]?.id === newest.id ? withNewer(state, page) : undefined),
    ).finally(() => (this.#newer = undefined));
    return this.#newer;
  }

  /**
   * Moves the window to a message and those around it, unless it contains the message already. A later jump supersedes an earlier
   * one, which then resolves without moving the window.
   * @throws {CallboardError} 404 if the message does not exist (any more)
   */
  async jumpTo(messageId: number): Promise<void> {
    const isLoaded = this.getSnapshot()?.messages.some(({ id }) => id === messageId) === true;
    await this.#jump(isLoaded, (signal) => this.#pages.around(messageId, signal));
  }

  /** Moves the window to the newest messages, unless it contains them already. Supersedes earlier jumps, as `jumpTo` does. */
  async jumpToNewest(): Promise<void> {
    await this.#jump(this.getSnapshot()?.hasNewer !== true, (signal) => this.#pages.newest(signal));
  }

  /**
   * Moves the window to the first messages that the user sees, unless it contains them already. Supersedes earlier jumps, as
   * `jumpTo` does.
   */
  async jumpToOldest(): Promise<void> {
    await this.#jump(this.getSnapshot()?.hasOlder !== true, (signal) => this.#pages.oldest(signal));
  }

  /** Marks the conversation read up to the newest message in the window. */
  async markRead(): Promise<void> {
    const newest = this.getSnapshot()?.messages[0];
    if (newest === undefined) return;
    await this.#transport.send(READ, {
      path: this.#path,
      body: { message_id: newest.id },
      signal: this.signal,
    });
  }

  /**
   * Sends a message after those queued before it. The message is in `pending` until the service has it. A rejected message stays
   * there with its `error`, for `retry` or `discard`. Messages that a broken connection delayed are sent when it is back. `error`: keeps
   * a message that was rejected before a reload as rejected.
   */
  send(body: SendMessageRequest, error?: CallboardError): Promise<void> {
    return this.#outbox.add(body, error);
  }

  /** Sends a failed message again, with the same `client_msg_id`, so that it is never stored twice. */
  retry(clientMsgId: string): Promise<void> {
    return this.#outbox.retry(clientMsgId);
  }

  /** Removes a pending message without sending it. */
  discard(clientMsgId: string): void {
    this.#outbox.remove((message) => message.clientMsgId === clientMsgId);
  }

  protected async fetch(signal: AbortSignal): Promise<Snapshot<MessagesState>> {
    const userId = await this.#options.getUserId();
    // Messages of one user must not be sent as another user.
    if (this.#userId !== 0 && userId !== this.#userId) this.#outbox.remove(() => true);
    this.#userId = userId;
    // Fetches the cursor first: data fetched after it is at least as new, and applying an event again is harmless.
    const cursor = await fetchCursor(this.#transport, { signal });
    const { data } = await this.#transport.send<ConversationResponse>(GET, { path: this.#path, signal });
    this.#isGroup = data.is_group;
    let part: number;
    let window: MessageWindow;
    do {
      part = this.#part;
      window = await this.#pages.again(this.getSnapshot() ?? EMPTY, signal);
    } while (part !== this.#part);
    this.#outbox.remove((message) => isDelivered(window.messages, message));
    void this.#outbox.resume();
    return { data: { ...window, pending: this.#outbox.pending }, cursor };
  }

  protected apply(state: MessagesState, event: UserEvent): MessagesState {
    if (!('conversation_id' in event) || event.conversation_id !== this.#options.conversationId) return state;
    for (const buffer of this.#buffers) buffer.push(event);
    if (this.#isGroup && event.type === 'conversation.read' && event.user_id !== this.#userId)
      this.#planReload();
    if (event.type === 'message.created')
      this.#outbox.remove(({ clientMsgId }) => clientMsgId === event.message.client_msg_id);
    const { messages, ...after } = this.#applied(state, event);
    // Clearing the conversation may have removed all messages of a window in the past. Without a connection the window stays
    // empty until it is reloaded.
    if (messages.length === 0 && after.hasNewer) void this.jumpToNewest().catch(() => undefined);
    const pending = this.#outbox.pending;
    return messages === state.messages && pending === state.pending ? state : { messages, ...after, pending };
  }

  get #path(): { id: number } {
    return { id: this.#options.conversationId };
  }

  /**
   * Sends a message as the user who wrote it. Not aborted when the store is closed: an application may close a chat right after
   * `send`. @throws {CallboardError} `signed_out` while another user is signed in
   */
  async #send(body: SendMessageRequest): Promise<MessageResponse> {
    if (this.#userId === 0) this.#userId = await this.#options.getUserId();
    const parts = { path: this.#path, body, userId: this.#userId };
    return (await this.#transport.send<MessageResponse>(SEND, parts)).data;
  }

  #applied<Window extends MessageWindow>(window: Window, event: UserEvent): Window {
    if (event.type === 'message.created' && isOutside(window, event.message)) return window;
    const { conversationId } = this.#options;
    const context = { conversationId, userId: this.#userId, isGroup: this.#isGroup };
    const messages = applyToMessages(window.messages, event, context);
    if (event.type !== 'message.created' || messages.length <= MAX_KEPT) return { ...window, messages };
    return { ...window, messages: messages.slice(0, MAX_KEPT), hasOlder: true };
  }

  /**
   * Moves the window to a part of the history, unless that is loaded. Either way it supersedes a slower jump, which would pull the
   * user back later. A page that arrives meanwhile does not: it extends the window that the jump then replaces.
   */
  async #jump(isLoaded: boolean, fetch: (signal: AbortSignal) => Promise<MessageWindow>): Promise<void> {
    const jump = (this.#jumps += 1);
    if (!isLoaded) await this.#move(fetch, (_, window) => (jump === this.#jumps ? window : undefined));
  }

  /** Fetches messages and moves the window. Applies the events that arrived meanwhile; applying an event twice is harmless. */
  async #move<T>(
    fetch: (signal: AbortSignal) => Promise<T>,
    join: (state: MessagesState, fetched: T) => MessageWindow | undefined,
  ): Promise<void> {
    const buffer: UserEvent[] = [];
    this.#buffers.add(buffer);
    try {
      const fetched = await fetch(this.signal);
      const window = join(this.getSnapshot() ?? EMPTY, fetched);
      if (window === undefined) return;
      this.#part += 1;
      this.#change(() => buffer.reduce((current, event) => this.#applied(current, event), window));
    } finally {
      this.#buffers.delete(buffer);
    }
  }

  #change(change: (state: MessagesState) => Partial<MessagesState>): void {
    const state = this.getSnapshot() ?? EMPTY;
    this.set({ ...state, ...change(state) });
  }

  /** Reloads the window at most once per interval, because no event contains the read counts of a group's messages. */
  #planReload(): void {
    if (this.#isReloadPlanned) return;
    this.#isReloadPlanned = true;
    void pause(READERS_INTERVAL_MS, this.signal).then(() => {
      this.#isReloadPlanned = false;
      return this.reload();
    });
  }
}

const isDelivered = (messages: readonly Message[], { clientMsgId }: PendingMessage): boolean =>
  messages.some(({ client_msg_id }) => client_msg_id === clientMsgId);

/** Whether a window does not contain the part of the history with a message. A reload may overtake the events of messages. */
const isOutside = ({ messages, hasOlder, hasNewer }: MessageWindow, { id }: Message): boolean =>
  hasNewer || (hasOlder && id < (messages.at(-1)?.id ?? 0));

/** Inserts a sent message, if the window contains the end of the history. */
const withSent = ({ messages, hasNewer }: MessageWindow, sent: Message): Partial<MessagesState> =>
  hasNewer ? {} : { messages: withMessage(messages, sent) };
