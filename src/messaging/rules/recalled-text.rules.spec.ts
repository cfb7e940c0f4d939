import { ZH_CN } from '../../common/i18n/zh-cn';
import type { ConversationResponse } from '../dto/conversation.dto';
import type { MessageView } from '../events/event-payloads';
import { textsIn, type TextPayload, withoutRecalledTexts } from './recalled-text.rules';

const QUOTE = {
  id: 6,
  sender_id: 3,
  sender_name: 'Ben',
  type: 'text',
  display_content: 'yes',
  is_recalled: false,
};
const MESSAGE = {
  id: 7,
  sender_id: 2,
  sender_name: 'Ann',
  is_self: false,
  type: 'text',
  content: 'oops',
  display_content: 'oops',
  extra: { name: 'oops.pdf' },
  attachments: [{ id: 8, name: 'oops.pdf' }],
  is_recalled: false,
  reply_to: QUOTE,
  mentions: [3],
  mention_all: false,
  is_forwarded: true,
  edited_at: '2026-01-31 16:00:00',
  reactions: [],
} as unknown as MessageView;

const without = <Payload extends object>(payload: Payload, ...recalled: number[]): Payload =>
  withoutRecalledTexts(payload, new Set(recalled), ZH_CN);

describe('withoutRecalledTexts', () => {
  it('returns a recalled message as a fresh response does', () => {
    expect(without({ conversation_id: 1, message: MESSAGE, unread_count: 4 }, 7)).toEqual({
      conversation_id: 1,
      message: {
        ...MESSAGE,
        content: '',
        display_content: 'Ann撤回了一条消息',
        extra: null,
        attachments: [],
        is_recalled: true,
        reply_to: null,
        mentions: [],
        mention_all: false,
        is_forwarded: false,
        edited_at: null,
        reactions: [],
      },
      unread_count: 4,
    });
    const { message } = without({ message: { ...MESSAGE, is_self: true } }, 7);
    expect(message.display_content).toBe('你撤回了一条消息');
  });

  it('replaces the text of a quote', () => {
    expect(without({ message: MESSAGE }, 6).message).toEqual({
      ...MESSAGE,
      reply_to: { ...QUOTE, display_content: '消息已撤回', is_recalled: true },
    });
  });

  it('replaces the text of the last message of a conversation', () => {
    const conversation = { id: 1, last_message_id: 7, last_message: 'oops', last_is_recalled: false };
    expect(without({ conversation: conversation as ConversationResponse }, 7)).toEqual({
      conversation: { ...conversation, last_message: '消息已撤回', last_is_recalled: true },
    });
  });

  it('replaces the text of an edit, also in the log of a large group', () => {
    const edit = {
      conversation_id: 1,
      message_id: 7,
      content: 'oops',
      display_content: 'oops',
      edited_at: '',
    };
    const expected = { ...edit, content: '', display_content: '消息已撤回' };
    expect(without(edit, 7)).toEqual(expected);
    expect(without({ edit, seq: 3 }, 7)).toEqual({ edit: expected, seq: 3 });
  });

  it('leaves messages that were recalled or deleted before the event unchanged', () => {
    const deleted = { message: { ...MESSAGE, content: '', display_content: '消息已删除', is_deleted: true } };
    expect(without(deleted, 7)).toEqual(deleted);
    const recall = {
      message: { ...MESSAGE, content: '', display_content: '你撤回了一条消息', is_recalled: true },
      conversation: {
        last_message_id: 7,
        last_message: '你撤回了一条消息',
        last_is_recalled: true,
      } as ConversationResponse,
    };
    expect(without(recall, 7)).toEqual(recall);
  });

  it('leaves payloads without a recalled message unchanged', () => {
    const payload = {
      message: MESSAGE,
      conversation: { id: 7, last_message_id: 8, last_message: 'yes' } as ConversationResponse,
    };
    expect(without(payload, 1, 5)).toEqual(payload);
  });
});

describe('textsIn', () => {
  it('returns the messages of all texts, and no ids that users send', () => {
    const extra = { items: [{ id: 90 }, { message_id: 91 }] };
    const payload = {
      message: { ...MESSAGE, extra },
      message_id: 8,
      edit: { message_id: 9 },
      conversation: { id: 1, last_message_id: 10 },
    } as unknown as TextPayload;
    expect(textsIn(payload)).toEqual([7, 6, 8, 9, 10]);
    expect(textsIn({ conversation: { last_message_id: null } } as TextPayload)).toEqual([]);
  });
});
