import type { MessageCatalogue } from '../../common/i18n/catalogue';
import type { ConversationResponse } from '../dto/conversation.dto';
import type { MessageResponse } from '../dto/message.dto';
import { displayOf, type Quote } from './message-display.rules';

/* Removes the texts of recalled messages from events that were written before the recall. Pure. */

type FieldsOf<Class> = { [Field in keyof Class]: Class[Field] };
type Message = FieldsOf<MessageResponse>;
type Conversation = FieldsOf<ConversationResponse>;

/** The new text of a message. */
interface Edit {
  message_id: number;
  content: string;
  display_content: string;
}

/** Fields that a recalled message loses besides its content, attachments and reactions. */
export const NO_DETAILS = {
  reply_to: null,
  mentions: [],
  mention_all: false,
  is_forwarded: false,
  edited_at: null,
} satisfies Partial<Message>;

/** The parts of event payloads that contain the text of a message. */
export interface TextPayload extends Partial<Edit> {
  message?: Message;
  conversation?: Conversation;
  /** In the log of a large group. */
  edit?: Edit;
}

/** Returns the ids of the messages whose texts a payload contains. */
export function textsIn({ message, message_id, edit, conversation }: TextPayload): number[] {
  const ids = [
    message?.id,
    message?.reply_to?.id,
    message_id,
    edit?.message_id,
    conversation?.last_message_id,
  ];
  return ids.filter((id) => id !== undefined && id !== null);
}

/**
 * Returns a payload without the texts of these messages: of a message itself, of a quote, of an edit, and of the last
 * message of a conversation. The user receives `message.recalled` later, with the complete current state.
 */
export function withoutRecalledTexts<Payload extends TextPayload>(
  payload: Payload,
  recalled: ReadonlySet<number>,
  catalogue: MessageCatalogue,
): Payload {
  const { message, conversation, edit } = payload;
  const text = catalogue.messages.messageRecalled;
  return {
    ...editWithout(payload, recalled, text),
    ...(message && { message: messageWithout(message, recalled, catalogue) }),
    ...(edit && { edit: editWithout(edit, recalled, text) }),
    ...(conversation && { conversation: conversationWithout(conversation, recalled, text) }),
  };
}

function conversationWithout(
  conversation: Conversation,
  recalled: ReadonlySet<number>,
  text: string,
): Conversation {
  const { last_message_id, last_is_recalled, last_is_deleted } = conversation;
  if (last_is_recalled || last_is_deleted || !recalled.has(last_message_id ?? 0)) return conversation;
  return { ...conversation, last_message: text, last_is_recalled: true };
}

function messageWithout(
  message: Message,
  recalled: ReadonlySet<number>,
  catalogue: MessageCatalogue,
): Message {
  const { id, is_self, sender_name, reply_to } = message;
  if (message.is_recalled || message.is_deleted) return message;
  if (recalled.has(id)) {
    const emptied = {
      ...message,
      content: '',
      extra: null,
      attachments: [],
      is_recalled: true,
      ...NO_DETAILS,
      reactions: [],
    };
    return { ...emptied, display_content: displayOf(emptied, { is_self, name: sender_name }, catalogue) };
  }
  if (reply_to === null || !recalled.has(reply_to.id)) return message;
  const quote: Quote = reply_to;
  const display_content = catalogue.messages.messageRecalled;
  return { ...message, reply_to: { ...quote, display_content, is_recalled: true } };
}

const editWithout = <E extends Partial<Edit>>(edit: E, recalled: ReadonlySet<number>, text: string): E =>
  edit.content !== undefined && recalled.has(edit.message_id ?? 0)
    ? { ...edit, content: '', display_content: text }
    : edit;
