import type { Drift } from '../../src/common/drift';
import { Transactions } from '../../src/database/transactions';
import { ConversationCountRepairService } from '../../src/messaging/services/conversation-count-repair.service';
import { switchToFanOutOnRead } from '../../src/messaging/store/membership-changes.store';
import { lockConversation } from '../../src/messaging/store/membership.store';
import type { Answer, ApiClient } from './api-client';
import type { AnyEvent } from './conversation-terminal';
import type { TestApp } from './test-app';
import { testUser } from './users';

/* Helpers for tests about conversations: a chat user, and types of the responses. */

export interface Conversation {
  id: number;
  type: string;
  name: string;
  avatar: string | null;
  is_group: boolean;
  member_count: number | null;
  last_message: string | null;
  last_sender_name: string | null;
  time: string;
  last_message_at: string;
  unread_count: number;
  message_type: string | null;
  last_sent_at: string | null;
  last_read_message_id: number | null;
  muted: boolean;
  mute_until: string | null;
  pinned: boolean;
  hidden: boolean;
  role: string;
  peer_id: number | null;
  last_message_id: number | null;
  last_sender_id: number | null;
  last_is_recalled: boolean;
  last_is_deleted: boolean;
  last_notice: object | null;
  mention_id: number | null;
}

export interface Message {
  id: number;
  conversation_id: number;
  sender_id: number;
  sender_name: string | null;
  sender_avatar: string | null;
  is_self: boolean;
  type: string;
  content: string;
  display_content: string;
  extra: Record<string, unknown> | null;
  is_recalled: boolean;
  is_read: boolean;
  read_at: string | null;
  read_count: number;
  unread_count: number;
  time: string;
  created_at: string;
  sent_at: string;
  kind: string;
  reply_to: Quote | null;
  mentions: number[];
  mention_all: boolean;
  is_forwarded: boolean;
  edited_at: string | null;
  client_msg_id: string | null;
  notice: Record<string, unknown> | null;
  reactions: Reaction[];
  is_deleted: boolean;
}

export interface Quote {
  id: number;
  sender_id: number;
  sender_name: string | null;
  type: string;
  display_content: string;
  is_recalled: boolean;
}

export interface Reaction {
  emoji: string;
  count: number;
  reacted: boolean;
}

export interface Reader {
  user_id: number;
  name: string | null;
  avatar: string | null;
  read_at: string;
}

export interface PageOf<T> {
  items: T[];
  pagination: {
    total: number;
    per_page: number;
    current_page: number;
    last_page: number;
    has_more: boolean;
  };
}

/** Returns the data of a response and asserts success. */
export function dataOf({ body }: Answer): Answer['body'] {
  if (body.code !== 0) throw new Error(`${body.code} ${body.message}`);
  return body.data;
}

/** Returns `[code, message]` of a response. */
export const verdictOf = ({ body }: Answer): [number, string] => [body.code, body.message];

const ROOT = '/api/messages';

/** A user with an account and a token. */
export class Chatter {
  private constructor(
    readonly id: number,
    readonly api: ApiClient,
  ) {}

  static async meet(api: ApiClient, id: number, name?: string): Promise<Chatter> {
    return new Chatter(id, await testUser(api, { id, name }));
  }

  static meetAll = (api: ApiClient, ids: number[]): Promise<Chatter[]> =>
    Promise.all(ids.map((id) => Chatter.meet(api, id)));

  /** Returns the users 1, 2 and 3. */
  static annBenAndCat = (api: ApiClient): Promise<[Chatter, Chatter, Chatter]> =>
    Promise.all([Chatter.meet(api, 1, 'Ann'), Chatter.meet(api, 2, 'Ben'), Chatter.meet(api, 3, 'Cat')]);

  async openSingle(peer: number): Promise<number> {
    const answer = await this.api.post(`${ROOT}/conversations`, { type: 'single', peer_id: peer });
    return dataOf(answer).id;
  }

  async createGroup(members: number[] = [], name = 'Group'): Promise<number> {
    const body = { type: 'group', name, member_ids: members };
    return dataOf(await this.api.post(`${ROOT}/conversations`, body)).id;
  }

  trySend = (conversation: number, body: object): Promise<Answer> =>
    this.api.post(`${ROOT}/conversations/${conversation}/messages`, body);

  async send(conversation: number, content = 'hello', more: object = {}): Promise<Message> {
    return dataOf(await this.trySend(conversation, { type: 'text', content, ...more }));
  }

  tryHistory = (conversation: number, query = ''): Promise<Answer> =>
    this.api.get(`${ROOT}/conversations/${conversation}/messages${query}`);

  async history(conversation: number, query = ''): Promise<PageOf<Message>> {
    return dataOf(await this.tryHistory(conversation, query));
  }

  /** Returns the history without marking it read. */
  peek = async (conversation: number): Promise<Message[]> =>
    (await this.history(conversation, '?per_page=100&mark_read=0')).items;

  async list(query = ''): Promise<PageOf<Conversation>> {
    return dataOf(await this.api.get(`${ROOT}/conversations${query}`));
  }

  listedIds = async (query = ''): Promise<number[]> => (await this.list(query)).items.map(({ id }) => id);

  tryConversation = (id: number): Promise<Answer> => this.api.get(`${ROOT}/conversations/${id}`);

  async conversation(id: number): Promise<Conversation> {
    return dataOf(await this.tryConversation(id));
  }

  unreadOf = async (id: number): Promise<number> => (await this.conversation(id)).unread_count;

  async unreadTotal(): Promise<number> {
    return dataOf(await this.api.get(`${ROOT}/unread-count`)).count;
  }

  tryRead = (conversation: number, body?: object): Promise<Answer> =>
    this.api.post(`${ROOT}/conversations/${conversation}/read`, body);

  async read(conversation: number, messageId?: number): Promise<number> {
    const answer = await this.tryRead(conversation, { message_id: messageId });
    return dataOf(answer).unread_count;
  }

  tryRecall = (message: number): Promise<Answer> => this.api.post(`${ROOT}/${message}/recall`);

  async recall(message: number): Promise<Message> {
    return dataOf(await this.tryRecall(message));
  }

  tryMessage = (message: number): Promise<Answer> => this.api.get(`${ROOT}/${message}`);

  async message(message: number): Promise<Message> {
    return dataOf(await this.tryMessage(message));
  }

  tryEdit = (message: number, content: unknown): Promise<Answer> =>
    this.api.put(`${ROOT}/${message}`, { content });

  async edit(message: number, content: string): Promise<Message> {
    return dataOf(await this.tryEdit(message, content));
  }

  mentionOf = async (id: number): Promise<number | null> => (await this.conversation(id)).mention_id;

  trySettings = (conversation: number, body: object): Promise<Answer> =>
    this.api.put(`${ROOT}/conversations/${conversation}/settings`, body);

  async settings(conversation: number, body: object): Promise<Conversation> {
    return dataOf(await this.trySettings(conversation, body));
  }

  tryAdd = (conversation: number, users: unknown): Promise<Answer> =>
    this.api.post(`${ROOT}/conversations/${conversation}/members`, { user_ids: users });

  async add(conversation: number, ...users: number[]): Promise<Conversation> {
    return dataOf(await this.tryAdd(conversation, users));
  }

  tryRemove = (conversation: number, user: number): Promise<Answer> =>
    this.api.delete(`${ROOT}/conversations/${conversation}/members/${user}`);

  async remove(conversation: number, user: number): Promise<void> {
    dataOf(await this.tryRemove(conversation, user));
  }

  tryReaders = (message: number, query = ''): Promise<Answer> =>
    this.api.get(`${ROOT}/${message}/readers${query}`);

  async readers(
    message: number,
    query = '',
  ): Promise<PageOf<Reader> & { read_count: number; unread_count: number }> {
    return dataOf(await this.tryReaders(message, query));
  }

  tryReact = (message: number, emoji: unknown, reacted?: unknown): Promise<Answer> =>
    this.api.put(`${ROOT}/${message}/reactions`, { emoji, reacted });

  async react(message: number, emoji = '👍', reacted = true): Promise<Reaction[]> {
    return dataOf(await this.tryReact(message, emoji, reacted)).reactions;
  }

  tryReactors = (message: number, query = ''): Promise<Answer> =>
    this.api.get(`${ROOT}/${message}/reactions${query}`);

  tryDelete = (message: number): Promise<Answer> => this.api.delete(`${ROOT}/${message}`);

  async delete(message: number): Promise<void> {
    expect(dataOf(await this.tryDelete(message))).toBeNull();
  }

  tryClear = (conversation: number): Promise<Answer> =>
    this.api.post(`${ROOT}/conversations/${conversation}/clear`);

  async clear(conversation: number): Promise<void> {
    expect(dataOf(await this.tryClear(conversation))).toBeNull();
  }

  /** Returns the user's events of these types, in order. */
  async told(...types: string[]): Promise<AnyEvent[]> {
    const { items } = dataOf(await this.api.get('/api/events/poll?after=0&limit=500'));
    return (items as AnyEvent[]).filter(({ type }) => types.includes(type));
  }

  tryTransfer = (conversation: number, user: unknown): Promise<Answer> =>
    this.api.put(`${ROOT}/conversations/${conversation}/owner`, { user_id: user });

  async transfer(conversation: number, user: number): Promise<Conversation> {
    return dataOf(await this.tryTransfer(conversation, user));
  }

  tryDissolve = (conversation: number): Promise<Answer> =>
    this.api.delete(`${ROOT}/conversations/${conversation}`);

  async dissolve(conversation: number): Promise<void> {
    dataOf(await this.tryDissolve(conversation));
  }

  leave = (conversation: number): Promise<void> => this.remove(conversation, this.id);
}

/** Recounts the stored counts of users' conversations, as `npm run repair:counters` does. Returns the differences. */
export async function repairConversationCounts({ app }: TestApp): Promise<Drift[]> {
  const drift: Drift[] = [];
  for await (const found of app.get(ConversationCountRepairService).repair()) drift.push(found);
  return drift;
}

/** Switches a group to fan-out on read, which normally requires more members than the limit. */
export async function makeLarge({ app }: TestApp, conversation: number): Promise<void> {
  await app.get(Transactions).run(async (em) => {
    await lockConversation(em, conversation);
    await switchToFanOutOnRead(em, { id: conversation, type: 'group' });
  });
}
