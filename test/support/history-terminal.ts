import type { Message, Reaction } from './messaging-types';
import type { AnyEvent } from './conversation-terminal';

/** Fields of a message that follow from events alone. Read counts do not. */
const MESSAGE_FIELDS = [
  'id',
  'sender_id',
  'is_self',
  'content',
  'display_content',
  'extra',
  'is_recalled',
  'kind',
  'notice',
  'reactions',
  'is_deleted',
  'reply_to',
  'mentions',
  'mention_all',
  'attachments',
  'is_forwarded',
  'edited_at',
  'client_msg_id',
] as const satisfies readonly (keyof Message)[];

export type DisplayedMessage = Pick<Message, (typeof MESSAGE_FIELDS)[number]>;

export const toDisplayed = (message: Message): DisplayedMessage =>
  Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, message[field]])) as unknown as DisplayedMessage;

/**
 * A client's history of one conversation, maintained as `docs/events.md` prescribes: from a snapshot, and then only
 * from events.
 */
export class HistoryTerminal {
  #messages: DisplayedMessage[];

  /** @param snapshot the complete history, newest first */
  constructor(
    private readonly userId: number,
    private readonly conversationId: number,
    snapshot: Message[],
  ) {
    this.#messages = snapshot.map(toDisplayed);
  }

  /**
   * A quote is only as current as the quoted message in this history. For a quote of a message that is not visible,
   * only the reference is compared.
   */
  get messages(): DisplayedMessage[] {
    const seen = new Set(this.#messages.flatMap(({ id, is_deleted }) => (is_deleted ? [] : [id])));
    return this.#messages.map((one) =>
      one.reply_to === null || seen.has(one.reply_to.id)
        ? one
        : { ...one, reply_to: { ...one.reply_to, display_content: '', is_recalled: false } },
    );
  }

  apply(event: AnyEvent): void {
    if (event.conversation_id !== this.conversationId) return;
    const { type, message, message_id } = event;
    if (type === 'conversation.left') this.#messages = [];
    else if (type === 'message.created') {
      if (!this.#messages.some(({ id }) => id === message.id)) this.#messages.unshift(toDisplayed(message));
    } else if (type === 'message.recalled') {
      this.#messages = this.#messages.map((known) =>
        known.id === message.id ? toDisplayed(message) : known,
      );
      this.#quote(message.id, { display_content: '消息已撤回', is_recalled: true });
    } else if (type === 'message.edited') {
      const { content, display_content, edited_at } = event;
      this.#replace(message_id, (known) => ({ ...known, content, display_content, edited_at }));
      this.#quote(message_id, {
        display_content: Array.from(display_content as string)
          .slice(0, 100)
          .join(''),
      });
    }
    if (type === 'message.deleted') this.#replace(message_id, deleted);
    else if (type === 'message.reacted')
      this.#replace(message_id, (known) => ({
        ...known,
        reactions: this.#reactions(known.reactions, event),
      }));
    else if (type === 'conversation.cleared') {
      const upTo = event.up_to_message_id ?? 0;
      this.#messages = this.#messages.filter(({ id }) => id > upTo);
    }
  }

  /** A deleted message does not change, except by a recall. */
  #replace(id: number, change: (known: DisplayedMessage) => DisplayedMessage): void {
    this.#messages = this.#messages.map((known) =>
      known.id === id && !known.is_deleted ? change(known) : known,
    );
  }

  /** Updates the quotes of a message. */
  #quote(id: number, change: Partial<NonNullable<Message['reply_to']>>): void {
    this.#messages = this.#messages.map((known) =>
      known.reply_to?.id === id ? { ...known, reply_to: { ...known.reply_to, ...change } } : known,
    );
  }

  #reactions(known: Reaction[], { user_id, emoji, reacted, count }: AnyEvent): Reaction[] {
    const before = known.find((one) => one.emoji === emoji);
    const after = {
      emoji,
      count,
      reacted: user_id === this.userId ? reacted : (before?.reacted ?? false),
    };
    if (before === undefined) return count === 0 ? known : [...known, after];
    return known.map((one) => (one === before ? after : one)).filter((one) => one.count > 0);
  }
}

const deleted = (known: DisplayedMessage): DisplayedMessage => ({
  ...known,
  content: '',
  display_content: '消息已删除',
  extra: null,
  attachments: [],
  reply_to: null,
  edited_at: null,
  reactions: [],
  is_deleted: true,
});
