import type { ApiResponse } from './api-client';
import type { Conversation } from './messaging-types';

/** The fields of a list item except the relative time, which changes as time passes. */
type Displayed = Omit<Conversation, 'time'>;

interface ConversationState {
  conversation: Displayed;
  pinned: boolean;
}

const toDisplayed = ({ time: _time, ...shown }: Conversation): Displayed => shown;

/** An event from the poll or the stream, of any type. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read events of any shape
export type AnyEvent = Record<string, any> & { type: string };

/** Events that change a conversation in the list but never add one. */
const CHANGES = new Set([
  'message.created',
  'message.recalled',
  'message.deleted',
  'conversation.read',
  'conversation.cleared',
]);

/**
 * A client's list of conversations, maintained as `docs/events.md` prescribes: from a snapshot, and then only from
 * events.
 */
export class ConversationTerminal {
  readonly #conversations = new Map<number, ConversationState>();

  /** @param snapshot response of the list, complete on one page */
  constructor({ body, headers }: ApiResponse) {
    expect(body.data.pagination.has_more).toBe(false);
    for (const [index, item] of (body.data.items as Conversation[]).entries()) {
      const pinned = index < Number(headers['x-pinned-count']);
      this.#conversations.set(item.id, { conversation: toDisplayed(item), pinned });
    }
  }

  apply({ type, ...payload }: AnyEvent): void {
    if (type === 'conversation.left') this.#conversations.delete(payload.conversation_id);
    else if (type === 'conversation.updated') this.#update(payload);
    else if (type === 'message.edited') this.#edit(payload);
    else if (CHANGES.has(type)) this.#change(type, payload);
  }

  /** The list, in its order. */
  get list(): Displayed[] {
    return [...this.#conversations.values()]
      .toSorted(
        (a, b) =>
          Number(b.pinned) - Number(a.pinned) ||
          b.conversation.last_message_at.localeCompare(a.conversation.last_message_at) ||
          b.conversation.id - a.conversation.id,
      )
      .map(({ conversation }) => conversation);
  }

  #update({ conversation, pinned, hidden }: Record<string, unknown>): void {
    const shown = toDisplayed(conversation as Conversation);
    if (hidden === true) this.#conversations.delete(shown.id);
    else this.#conversations.set(shown.id, { conversation: shown, pinned: pinned === true });
  }

  #edit({ conversation_id, message_id, display_content }: AnyEventFields): void {
    const known = this.#conversations.get(conversation_id);
    if (known === undefined || known.conversation.last_message_id !== message_id) return;
    const conversation = { ...known.conversation, last_message: display_content };
    this.#conversations.set(conversation_id, { ...known, conversation });
  }

  /** A conversation that is not in the list is hidden or was left; `conversation.updated` adds it again. */
  #change(
    type: string,
    { conversation_id, conversation, message, unread_count, up_to_message_id, mention_id }: AnyEventFields,
  ): void {
    const known = this.#conversations.get(conversation_id);
    if (known === undefined || unread_count === null) return;
    const shown = { ...known.conversation, unread_count: unread_count ?? known.conversation.unread_count };
    if (mention_id !== undefined) shown.mention_id = mention_id;
    if (type === 'message.created') {
      shown.last_message = message.display_content;
      shown.last_sender_name = shown.is_group ? message.sender_name : null;
      shown.last_message_at = message.created_at;
      shown.last_message_id = message.id;
      shown.last_sender_id = message.sender_id;
      shown.last_is_recalled = message.is_recalled;
      shown.last_is_deleted = false;
      shown.last_notice = message.notice;
      shown.message_type = message.type;
      shown.last_sent_at = message.sent_at;
      if (message.is_self && message.kind === 'message')
        shown.last_read_message_id = maxId(shown.last_read_message_id, message.id);
    }
    if (type === 'conversation.read')
      shown.last_read_message_id = maxId(shown.last_read_message_id, up_to_message_id);
    const now = conversation === undefined ? shown : toDisplayed(conversation);
    this.#conversations.set(conversation_id, { ...known, conversation: now });
  }
}

/** A read position never decreases: returns the higher id. */
const maxId = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

// oxlint-disable-next-line typescript/no-explicit-any -- tests read events of any shape
type AnyEventFields = Record<string, any>;
