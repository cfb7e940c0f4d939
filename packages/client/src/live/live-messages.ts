import { pause } from '../environment.js';
import type { Events } from '../events/events.js';
import { beginning } from '../events/own-stream.js';
import type {
  ConversationResponse,
  MessageResponse,
  SendMessageRequest,
  UserEvent,
} from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import { LiveStore, type Snapshot } from './live-store.js';
import { applyToMessages, type Message } from './message-history.js';
import { MessagePages, type MessageWindow, MOST_KEPT, withNewer, withOlder } from './message-pages.js';
import { Outbox, type PendingMessage } from './outbox.js';

export type { PendingMessage } from './outbox.js';

/** Messages of a conversation, the newest to begin with, and what is being sent. */
export interface MessagesState extends MessageWindow {
  /** One's own that the service does not have yet, the oldest first. */
  pending: readonly PendingMessage[];
}

export interface LiveMessagesOptions {
  conversationId: number;
  /** Answers whose history it is. */
  whoReads: (signal: AbortSignal) => Promise<number>;
  /** How many a page holds, at most 100. */
  perPage?: number;
}

const GET = 'getConversation GET /api/messages/conversations/{id}';
const SEND = 'sendMessage POST /api/messages/conversations/{id}/messages key';
const READ = 'markConversationRead POST /api/messages/conversations/{id}/read';

/** How often others' reading in a group is looked at, at most. */
const READERS_EVERY_MS = 3_000;

const NOTHING: MessagesState = { messages: [], hasOlder: false, hasNewer: false, pending: [] };

/**
 * A part of a conversation's history, kept up to date with who has read it, and what is being sent: the newest messages, until
 * one goes back further than is kept, or jumps.
 */
export class LiveMessages extends LiveStore<MessagesState> {
  readonly #transport: Transport;
  readonly #options: LiveMessagesOptions;
  readonly #pages: MessagePages;
  readonly #outbox: Outbox;
  #userId = 0;
  #isGroup = true;
  #isLookingAtReaders = false;
  /** Which part of the history is kept: another number, another part. */
  #part = 0;
  /** What is heard while pages are fetched. */
  readonly #heard = new Set<UserEvent[]>();
  #older: Promise<void> | undefined;
  #newer: Promise<void> | undefined;

  constructor(transport: Transport, events: Events, options: LiveMessagesOptions) {
    super(events);
    this.#transport = transport;
    this.#options = options;
    this.#pages = new MessagePages(transport, options.conversationId, options.perPage ?? 50);
    this.#outbox = new Outbox({
      send: async (body) => (await transport.send<MessageResponse>(SEND, { path: this.#path, body })).data,
      onSent: (message) => this.#change((state) => withSent(state, message)),
      onChange: () => this.#change(() => ({ pending: this.#outbox.pending })),
      signal: () => this.signal,
    });
  }

  /** Fetches one more page of older messages; of the newest ones some are let go when there are too many. */
  loadOlder(): Promise<void> {
    const oldest = this.getSnapshot()?.messages.at(-1);
    if (oldest === undefined || this.getSnapshot()?.hasOlder !== true) return Promise.resolve();
    this.#older ??= this.#move(
      (signal) => this.#pages.page({ before_id: oldest.id }, signal),
      (state, page) => (state.messages.at(-1)?.id === oldest.id ? withOlder(state, page) : undefined),
    ).finally(() => (this.#older = undefined));
    return this.#older;
  }

  /** Fetches one more page of newer messages, after one has gone far back. */
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
   * Goes to a message and those around it, unless it is there already.
   * @throws {CallboardError} 404: it is not there (any more)
   */
  async jumpTo(messageId: number): Promise<void> {
    if (this.getSnapshot()?.messages.some(({ id }) => id === messageId) === true) return;
    await this.#jump((signal) => this.#pages.around(messageId, signal));
  }

  /** Goes to the newest messages, unless they are there already. */
  async jumpToNewest(): Promise<void> {
    if (this.getSnapshot()?.hasNewer === true) await this.#jump((signal) => this.#pages.newest(signal));
  }

  /** Marks the conversation read up to the newest message that is kept here. */
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
   * Sends a message, after those before it. It stands in `pending` until the service has it; what could not be sent stays there
   * with its `error`, for `retry` or `discard`. What a broken connection held up is sent as soon as there is one again.
   */
  send(body: SendMessageRequest): Promise<void> {
    return this.#outbox.add(body);
  }

  /** Sends again what could not be sent; it is the same message, and is never sent twice. */
  retry(clientMsgId: string): Promise<void> {
    return this.#outbox.retry(clientMsgId);
  }

  /** Forgets what could not be sent. */
  discard(clientMsgId: string): void {
    this.#outbox.forget((one) => one.clientMsgId === clientMsgId);
  }

  protected async fetch(signal: AbortSignal): Promise<Snapshot<MessagesState>> {
    const userId = await this.#options.whoReads(signal);
    // What somebody has written is not sent in another one's name.
    if (this.#userId !== 0 && userId !== this.#userId) this.#outbox.forget(() => true);
    this.#userId = userId;
    // First the cursor: what is fetched after it is at least as new, and events may be applied again.
    const cursor = await beginning(this.#transport, { signal });
    const { data } = await this.#transport.send<ConversationResponse>(GET, { path: this.#path, signal });
    this.#isGroup = data.is_group;
    let part: number;
    let window: MessageWindow;
    do {
      part = this.#part;
      window = await this.#pages.again(this.getSnapshot() ?? NOTHING, signal);
    } while (part !== this.#part);
    this.#outbox.forget((one) => isThere(window.messages, one));
    void this.#outbox.resume();
    return { data: { ...window, pending: this.#outbox.pending }, cursor };
  }

  protected apply(state: MessagesState, event: UserEvent): MessagesState {
    if (!('conversation_id' in event) || event.conversation_id !== this.#options.conversationId) return state;
    for (const heard of this.#heard) heard.push(event);
    if (this.#isGroup && event.type === 'conversation.read' && event.user_id !== this.#userId)
      this.#lookAtReaders();
    if (event.type === 'message.created')
      this.#outbox.forget(({ clientMsgId }) => clientMsgId === event.message.client_msg_id);
    const { messages, ...after } = this.#applied(state, event);
    // All of a part far back may be cleared.
    if (messages.length === 0 && after.hasNewer) void this.jumpToNewest();
    const pending = this.#outbox.pending;
    return messages === state.messages && pending === state.pending ? state : { messages, ...after, pending };
  }

  get #path(): { id: number } {
    return { id: this.#options.conversationId };
  }

  #applied<Window extends MessageWindow>(window: Window, event: UserEvent): Window {
    // What is new stands at the end, which is not here.
    if (event.type === 'message.created' && window.hasNewer) return window;
    const { conversationId } = this.#options;
    const context = { conversationId, userId: this.#userId, isGroup: this.#isGroup };
    const messages = applyToMessages(window.messages, event, context);
    if (event.type !== 'message.created' || messages.length <= MOST_KEPT) return { ...window, messages };
    return { ...window, messages: messages.slice(0, MOST_KEPT), hasOlder: true };
  }

  #jump(fetch: (signal: AbortSignal) => Promise<MessageWindow>): Promise<void> {
    const part = (this.#part += 1);
    return this.#move(fetch, (_, window) => (part === this.#part ? window : undefined));
  }

  /** Fetches, and keeps another part; what happened meanwhile is applied to it as well, which may be done twice. */
  async #move<T>(
    fetch: (signal: AbortSignal) => Promise<T>,
    join: (state: MessagesState, fetched: T) => MessageWindow | undefined,
  ): Promise<void> {
    const heard: UserEvent[] = [];
    this.#heard.add(heard);
    try {
      const fetched = await fetch(this.signal);
      const window = join(this.getSnapshot() ?? NOTHING, fetched);
      if (window === undefined) return;
      this.#part += 1;
      this.#change(() => heard.reduce((known, event) => this.#applied(known, event), window));
    } finally {
      this.#heard.delete(heard);
    }
  }

  #change(change: (state: MessagesState) => Partial<MessagesState>): void {
    const state = this.getSnapshot() ?? NOTHING;
    this.set({ ...state, ...change(state) });
  }

  /** Of a group's messages no event tells how many have read them. */
  #lookAtReaders(): void {
    if (this.#isLookingAtReaders) return;
    this.#isLookingAtReaders = true;
    void pause(READERS_EVERY_MS, this.signal).then(() => {
      this.#isLookingAtReaders = false;
      return this.reload();
    });
  }
}

const isThere = (messages: readonly Message[], { clientMsgId }: PendingMessage): boolean =>
  messages.some(({ client_msg_id }) => client_msg_id === clientMsgId);

/** With what was sent at its place; the event may have brought it already. */
function withSent({ messages, hasNewer }: MessageWindow, sent: Message): Partial<MessagesState> {
  if (hasNewer || messages.some(({ id }) => id === sent.id)) return {};
  return { messages: [...messages, sent].sort((a, b) => b.id - a.id) };
}
