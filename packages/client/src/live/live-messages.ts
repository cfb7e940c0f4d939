import { pause } from '../environment.js';
import { CallboardError } from '../errors.js';
import type { Events } from '../events/events.js';
import { beginning } from '../events/own-stream.js';
import type {
  ConversationResponse,
  ListMessagesResponse,
  MessageResponse,
  SendMessageRequest,
  UserEvent,
} from '../generated/types.gen.js';
import type { Transport } from '../http/transport.js';
import { uniqueId } from '../unique-id.js';
import { LiveStore, type Snapshot } from './live-store.js';
import { applyToMessages, type Message } from './message-history.js';

/** A message that is on its way, or that could not be sent. */
export interface PendingMessage {
  /** The id that it is sent with, however often. */
  clientMsgId: string;
  body: SendMessageRequest;
  /** Why it could not be sent; undefined while it is under way. */
  error: CallboardError | undefined;
}

/** The newest messages of a conversation, as far back as they were fetched. */
export interface MessagesState {
  /** The newest first. */
  messages: readonly Message[];
  /** Whether there are older ones to fetch with `loadOlder`. */
  hasOlder: boolean;
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
const LIST = 'listMessages GET /api/messages/conversations/{id}/messages';
const SEND = 'sendMessage POST /api/messages/conversations/{id}/messages key';
const READ = 'markConversationRead POST /api/messages/conversations/{id}/read';

/** After a reload as much is fetched as there was, but no more pages than these. */
const MOST_PAGES = 5;
/** How often others' reading in a group is looked at, at most. */
const READERS_EVERY_MS = 3_000;

/** A conversation's newest messages, kept up to date with who has read them, and what is being sent. */
export class LiveMessages extends LiveStore<MessagesState> {
  readonly #transport: Transport;
  readonly #options: LiveMessagesOptions;
  readonly #perPage: number;
  #userId = 0;
  #isGroup = true;
  #pages = 1;
  #isLookingAtReaders = false;

  constructor(transport: Transport, events: Events, options: LiveMessagesOptions) {
    super(events);
    this.#transport = transport;
    this.#options = options;
    this.#perPage = options.perPage ?? 50;
  }

  /** Fetches one more page of older messages. */
  async loadOlder(): Promise<void> {
    const state = this.getSnapshot();
    const oldest = state?.messages.at(-1);
    if (oldest === undefined || !state?.hasOlder) return;
    const { items, hasMore } = await this.#page(oldest.id, this.signal);
    this.#pages += 1;
    this.#change(({ messages }) => ({
      messages: [...messages, ...items.filter(({ id }) => id < (messages.at(-1)?.id ?? Infinity))],
      hasOlder: hasMore,
    }));
  }

  /** Marks the conversation read up to its newest message that is shown here. */
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
   * Sends a message. It stands in `pending` until the service has it; what could not be sent stays there with its `error`,
   * for `retry` or `discard`.
   */
  async send(body: SendMessageRequest): Promise<void> {
    const clientMsgId = body.client_msg_id ?? uniqueId();
    const pending = { clientMsgId, body: { ...body, client_msg_id: clientMsgId }, error: undefined };
    this.#change((state) => ({ pending: [...state.pending, pending] }));
    await this.#deliver(pending);
  }

  /** Sends again what could not be sent; it is the same message, and is never sent twice. */
  async retry(clientMsgId: string): Promise<void> {
    const pending = this.getSnapshot()?.pending.find((one) => one.clientMsgId === clientMsgId);
    if (pending?.error === undefined) return;
    const again = { ...pending, error: undefined };
    this.#replace(clientMsgId, again);
    await this.#deliver(again);
  }

  /** Forgets what could not be sent. */
  discard(clientMsgId: string): void {
    this.#replace(clientMsgId);
  }

  protected async fetch(signal: AbortSignal): Promise<Snapshot<MessagesState>> {
    this.#userId = await this.#options.whoReads(signal);
    // First the cursor: what is fetched after it is at least as new, and events may be applied again.
    const cursor = await beginning(this.#transport, { signal });
    const { data } = await this.#transport.send<ConversationResponse>(GET, { path: this.#path, signal });
    this.#isGroup = data.is_group;
    this.#pages = Math.min(this.#pages, MOST_PAGES);
    let [messages, hasOlder]: [Message[], boolean] = [[], true];
    for (let page = 1; page <= this.#pages && hasOlder; page += 1) {
      const { items, hasMore } = await this.#page(messages.at(-1)?.id, signal);
      messages = [...messages, ...items];
      hasOlder = hasMore;
    }
    const pending = (this.getSnapshot()?.pending ?? []).filter((one) => !isThere(messages, one));
    return { data: { messages, hasOlder, pending }, cursor };
  }

  protected apply(state: MessagesState, event: UserEvent): MessagesState {
    if (!('conversation_id' in event) || event.conversation_id !== this.#options.conversationId) return state;
    const { conversationId } = this.#options;
    const context = { conversationId, userId: this.#userId, isGroup: this.#isGroup };
    if (this.#isGroup && event.type === 'conversation.read' && event.user_id !== this.#userId)
      this.#lookAtReaders();
    const messages = applyToMessages(state.messages, event, context);
    if (messages === state.messages) return state;
    return { ...state, messages, pending: state.pending.filter((one) => !isThere(messages, one)) };
  }

  get #path(): { id: number } {
    return { id: this.#options.conversationId };
  }

  async #page(
    before: number | undefined,
    signal: AbortSignal,
  ): Promise<{ items: MessageResponse[]; hasMore: boolean }> {
    const query = { before_id: before, per_page: this.#perPage, mark_read: 0 };
    const { data } = await this.#transport.send<ListMessagesResponse>(LIST, {
      path: this.#path,
      query,
      signal,
    });
    return { items: data.items, hasMore: data.pagination.has_more };
  }

  async #deliver(pending: PendingMessage): Promise<void> {
    try {
      const { data } = await this.#transport.send<MessageResponse>(SEND, {
        path: this.#path,
        body: pending.body,
      });
      this.#change(({ messages }) => ({ messages: withSent(messages, data) }));
      this.#replace(pending.clientMsgId);
    } catch (cause) {
      const error =
        cause instanceof CallboardError ? cause : new CallboardError('network', undefined, { cause });
      this.#replace(pending.clientMsgId, { ...pending, error });
    }
  }

  #replace(clientMsgId: string, by?: PendingMessage): void {
    this.#change(({ pending }) => ({
      pending: pending.flatMap((one) => (one.clientMsgId !== clientMsgId ? one : (by ?? []))),
    }));
  }

  #change(change: (state: MessagesState) => Partial<MessagesState>): void {
    const state = this.getSnapshot() ?? { messages: [], hasOlder: false, pending: [] };
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
const withSent = (messages: readonly Message[], sent: Message): readonly Message[] =>
  messages.some(({ id }) => id === sent.id) ? messages : [...messages, sent].sort((a, b) => b.id - a.id);
