import type { Drift } from '../../src/common/drift';
import { Transactions } from '../../src/database/transactions';
import { ConversationCountRepairService } from '../../src/messaging/services/conversation-count-repair.service';
import { switchToFanOutOnRead } from '../../src/messaging/store/membership-changes.store';
import { lockConversation } from '../../src/messaging/store/membership.store';
import type { ApiResponse, ApiClient } from './api-client';
import type { AnyEvent } from './conversation-terminal';
import type { Conversation, Message, PageOf, Reaction, Reader } from './messaging-types';
import type { TestApp } from './test-app';
import { testUser } from './users';

/* Helpers for tests about conversations. */

/** Returns the data of a response and asserts success. */
export function dataOf({ body }: ApiResponse): ApiResponse['body'] {
  if (body.code !== 0) throw new Error(`${body.code} ${body.message}`);
  return body.data;
}

/** Returns `[code, message]` of a response. */
export const errorOf = ({ body }: ApiResponse): [number, string] => [body.code, body.message];

const ROOT = '/api/messages';

/** A user with an account and a token. */
export class ChatUser {
  private constructor(
    readonly id: number,
    readonly api: ApiClient,
  ) {}

  static async signIn(api: ApiClient, id: number, name?: string): Promise<ChatUser> {
    return new ChatUser(id, await testUser(api, { id, name }));
  }

  static signInAll = (api: ApiClient, ids: number[]): Promise<ChatUser[]> =>
    Promise.all(ids.map((id) => ChatUser.signIn(api, id)));

  /** Returns the users 1, 2 and 3. */
  static annBenAndCat = (api: ApiClient): Promise<[ChatUser, ChatUser, ChatUser]> =>
    Promise.all([
      ChatUser.signIn(api, 1, 'Ann'),
      ChatUser.signIn(api, 2, 'Ben'),
      ChatUser.signIn(api, 3, 'Cat'),
    ]);

  async openSingle(peer: number): Promise<number> {
    const response = await this.api.post(`${ROOT}/conversations`, { type: 'single', peer_id: peer });
    return dataOf(response).id;
  }

  async createGroup(members: number[] = [], name = 'Group'): Promise<number> {
    const body = { type: 'group', name, member_ids: members };
    return dataOf(await this.api.post(`${ROOT}/conversations`, body)).id;
  }

  trySend = (conversation: number, body: object): Promise<ApiResponse> =>
    this.api.post(`${ROOT}/conversations/${conversation}/messages`, body);

  async send(conversation: number, content = 'hello', more: object = {}): Promise<Message> {
    return dataOf(await this.trySend(conversation, { type: 'text', content, ...more }));
  }

  tryHistory = (conversation: number, query = ''): Promise<ApiResponse> =>
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

  tryConversation = (id: number): Promise<ApiResponse> => this.api.get(`${ROOT}/conversations/${id}`);

  async conversation(id: number): Promise<Conversation> {
    return dataOf(await this.tryConversation(id));
  }

  unreadOf = async (id: number): Promise<number> => (await this.conversation(id)).unread_count;

  async unreadTotal(): Promise<number> {
    return dataOf(await this.api.get(`${ROOT}/unread-count`)).count;
  }

  tryRead = (conversation: number, body?: object): Promise<ApiResponse> =>
    this.api.post(`${ROOT}/conversations/${conversation}/read`, body);

  async read(conversation: number, messageId?: number): Promise<number> {
    const response = await this.tryRead(conversation, { message_id: messageId });
    return dataOf(response).unread_count;
  }

  tryRecall = (message: number): Promise<ApiResponse> => this.api.post(`${ROOT}/${message}/recall`);

  async recall(message: number): Promise<Message> {
    return dataOf(await this.tryRecall(message));
  }

  tryMessage = (message: number): Promise<ApiResponse> => this.api.get(`${ROOT}/${message}`);

  async message(message: number): Promise<Message> {
    return dataOf(await this.tryMessage(message));
  }

  tryEdit = (message: number, content: unknown): Promise<ApiResponse> =>
    this.api.put(`${ROOT}/${message}`, { content });

  async edit(message: number, content: string): Promise<Message> {
    return dataOf(await this.tryEdit(message, content));
  }

  mentionOf = async (id: number): Promise<number | null> => (await this.conversation(id)).mention_id;

  trySettings = (conversation: number, body: object): Promise<ApiResponse> =>
    this.api.put(`${ROOT}/conversations/${conversation}/settings`, body);

  async settings(conversation: number, body: object): Promise<Conversation> {
    return dataOf(await this.trySettings(conversation, body));
  }

  tryAdd = (conversation: number, users: unknown): Promise<ApiResponse> =>
    this.api.post(`${ROOT}/conversations/${conversation}/members`, { user_ids: users });

  async add(conversation: number, ...users: number[]): Promise<Conversation> {
    return dataOf(await this.tryAdd(conversation, users));
  }

  tryRemove = (conversation: number, user: number): Promise<ApiResponse> =>
    this.api.delete(`${ROOT}/conversations/${conversation}/members/${user}`);

  async remove(conversation: number, user: number): Promise<void> {
    dataOf(await this.tryRemove(conversation, user));
  }

  tryReaders = (message: number, query = ''): Promise<ApiResponse> =>
    this.api.get(`${ROOT}/${message}/readers${query}`);

  async readers(
    message: number,
    query = '',
  ): Promise<PageOf<Reader> & { read_count: number; unread_count: number }> {
    return dataOf(await this.tryReaders(message, query));
  }

  tryReact = (message: number, emoji: unknown, reacted?: unknown): Promise<ApiResponse> =>
    this.api.put(`${ROOT}/${message}/reactions`, { emoji, reacted });

  async react(message: number, emoji = '👍', reacted = true): Promise<Reaction[]> {
    return dataOf(await this.tryReact(message, emoji, reacted)).reactions;
  }

  tryReactors = (message: number, query = ''): Promise<ApiResponse> =>
    this.api.get(`${ROOT}/${message}/reactions${query}`);

  tryDelete = (message: number): Promise<ApiResponse> => this.api.delete(`${ROOT}/${message}`);

  async delete(message: number): Promise<void> {
    expect(dataOf(await this.tryDelete(message))).toBeNull();
  }

  tryClear = (conversation: number): Promise<ApiResponse> =>
    this.api.post(`${ROOT}/conversations/${conversation}/clear`);

  async clear(conversation: number): Promise<void> {
    expect(dataOf(await this.tryClear(conversation))).toBeNull();
  }

  /** Returns the user's events of these types, in order. */
  async events(...types: string[]): Promise<AnyEvent[]> {
    const { items } = dataOf(await this.api.get('/api/events/poll?after=0&limit=500'));
    return (items as AnyEvent[]).filter(({ type }) => types.includes(type));
  }

  tryTransfer = (conversation: number, user: unknown): Promise<ApiResponse> =>
    this.api.put(`${ROOT}/conversations/${conversation}/owner`, { user_id: user });

  async transfer(conversation: number, user: number): Promise<Conversation> {
    return dataOf(await this.tryTransfer(conversation, user));
  }

  tryDissolve = (conversation: number): Promise<ApiResponse> =>
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
export async function switchToLargeGroup({ app }: TestApp, conversation: number): Promise<void> {
  await app.get(Transactions).run(async (em) => {
    await lockConversation(em, conversation);
    await switchToFanOutOnRead(em, { id: conversation, type: 'group' });
  });
}
