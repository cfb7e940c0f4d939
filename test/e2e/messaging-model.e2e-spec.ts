import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { DataSource } from 'typeorm';
import { ChatUser, switchToLargeGroup, errorOf } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { MessagingModel, type ModelConversation } from '../support/messaging-model';
import { propertyRuns } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const USERS = [1, 2, 3, 4, 5];
const FORBIDDEN_HERE = [403, '无权访问此会话'];

/** The service, with a client for each user. */
interface System {
  test: TestApp;
  chatUsers: Map<number, ChatUser>;
}

const local = (moment: Date): string =>
  DateTime.fromJSDate(moment, { zone: 'Asia/Shanghai' }).toFormat('yyyy-MM-dd HH:mm:ss');

/** An action of a user in a conversation, on the service and on the model. */
abstract class Act implements fc.AsyncCommand<MessagingModel, System> {
  constructor(
    readonly user: number,
    readonly place: number,
    /** Milliseconds before the action. */
    readonly pause: number,
    /** Selects a message or a user, if the action needs one. */
    readonly which: number,
  ) {}

  check = (): boolean => true;

  async run(oracle: MessagingModel, { test, chatUsers }: System): Promise<void> {
    test.clock.advance(this.pause / 1000);
    const conversation = oracle.conversations[this.place % oracle.conversations.length] as ModelConversation;
    const chatUser = chatUsers.get(this.user) as ChatUser;
    if (conversation.members.has(this.user)) await this.act(oracle, conversation, chatUser, test.clock.now());
    else expect(errorOf(await chatUser.tryHistory(conversation.id))).toEqual(FORBIDDEN_HERE);
    await expectSameList(oracle, chatUser);
  }

  abstract act(oracle: MessagingModel, c: ModelConversation, chatUser: ChatUser, now: Date): Promise<void>;

  toString = (): string =>
    `${this.constructor.name}(user ${this.user}, place ${this.place}, +${this.pause} ms, which ${this.which})`;

  /** Returns a message that the user can see, and its index. */
  protected pick({ messages, members }: ModelConversation): { index: number; id: number } | undefined {
    const first = members.get(this.user)?.before ?? 0;
    const visible = messages.length - first;
    if (visible === 0) return undefined;
    const index = first + (this.which % visible);
    return { index, id: messages[index]?.id ?? 0 };
  }
}

class Send extends Act {
  async act(oracle: MessagingModel, c: ModelConversation, chatUser: ChatUser, at: Date): Promise<void> {
    const content = `message ${c.messages.length}`;
    const sent = await chatUser.send(c.id, content);
    oracle.send(c, { id: sent.id, sender: this.user, content, at });
    expect({ ...oracle.history(c, this.user)[0], read_at: null }).toMatchObject({
      id: sent.id,
      read_count: sent.read_count,
      unread_count: sent.unread_count,
    });
  }
}

class ReadAll extends Act {
  async act(oracle: MessagingModel, c: ModelConversation, chatUser: ChatUser, at: Date): Promise<void> {
    await chatUser.history(c.id, `?page=${1 + (this.which % 3)}&per_page=3`);
    oracle.read(c, this.user, at);
  }
}

class ReadUpTo extends Act {
  async act(oracle: MessagingModel, c: ModelConversation, chatUser: ChatUser, at: Date): Promise<void> {
    const picked = this.pick(c);
    if (picked === undefined) return;
    const unread = await chatUser.read(c.id, picked.id);
    oracle.read(c, this.user, at, picked.index);
    expect(unread).toBe(oracle.unread(c, this.user));
  }
}

class Recall extends Act {
  async act(_: MessagingModel, c: ModelConversation, chatUser: ChatUser): Promise<void> {
    const picked = this.pick(c);
    const message = c.messages[picked?.index ?? -1];
    if (message === undefined) return;
    const response = await chatUser.tryRecall(message.id);
    expect(errorOf(response)[0]).toBe(message.sender === this.user ? 0 : 403);
    if (message.sender === this.user) message.recalled = true;
  }
}

class Add extends Act {
  async act(oracle: MessagingModel, c: ModelConversation, chatUser: ChatUser, at: Date): Promise<void> {
    const newUser = USERS[this.which % USERS.length] as number;
    const response = await chatUser.tryAdd(c.id, [newUser]);
    const mayAdd = c.type === 'group' && c.owner === this.user;
    expect(errorOf(response)[0]).toBe(mayAdd ? 0 : 403);
    if (mayAdd) oracle.join(c, newUser, at);
  }
}

class Leave extends Act {
  async act(oracle: MessagingModel, c: ModelConversation, chatUser: ChatUser): Promise<void> {
    const stays = c.type === 'single' || c.members.size === 1;
    if (c.members.size === 1) return;
    expect(errorOf(await chatUser.tryRemove(c.id, this.user))[0]).toBe(stays ? 403 : 0);
    if (!stays) oracle.leave(c, this.user);
  }
}

class Settle extends Act {
  async act(_: MessagingModel, c: ModelConversation, chatUser: ChatUser): Promise<void> {
    const name = (['hidden', 'pinned', 'muted'] as const)[this.which % 3] ?? 'hidden';
    const value = this.which % 4 !== 0;
    await chatUser.settings(c.id, { [name]: value });
    const member = c.members.get(this.user);
    if (member) member[name] = value;
  }
}

async function expectSameList(oracle: MessagingModel, chatUser: ChatUser): Promise<void> {
  const { items, pagination } = await chatUser.list('?per_page=100');
  const expected = oracle
    .list(chatUser.id)
    .map(({ last_at, ...rest }) => ({ ...rest, last_message_at: local(last_at) }));
  expect(
    items.map(({ id, last_message, last_message_at, unread_count }) => ({
      id,
      last_message,
      unread_count,
      last_message_at,
    })),
  ).toEqual(expected);
  expect(pagination.total).toBe(expected.length);
  expect(await chatUser.unreadTotal()).toBe(oracle.unreadTotal(chatUser.id));
}

async function expectSameHistories(oracle: MessagingModel, chatUser: ChatUser): Promise<void> {
  for (const conversation of oracle.conversations.filter(({ members }) => members.has(chatUser.id))) {
    const expected = oracle.history(conversation, chatUser.id).map(({ read_at, ...rest }) => ({
      ...rest,
      read_at: read_at === null ? null : local(read_at),
    }));
    const matching = expected.map((item): unknown => expect.objectContaining(item));
    expect(await chatUser.peek(conversation.id)).toEqual(matching);
    const second = await chatUser.history(conversation.id, '?mark_read=0&page=2&per_page=3');
    expect(second.items).toEqual(matching.slice(3, 6));
    expect(second.pagination.total).toBe(expected.length);
  }
}

describe('Random operations on messaging', () => {
  let test: TestApp;
  let chatUsers: Map<number, ChatUser>;
  beforeAll(async () => {
    test = await createTestApp({ env: { MESSAGE_RECALL_SECONDS: '2000000' } });
    const people = await ChatUser.signInAll(test.api, USERS);
    chatUsers = new Map(people.map((chatUser) => [chatUser.id, chatUser]));
  });
  afterAll(() => test?.close());

  /** Empties the tables, and creates two groups, of which the second is a large group, and a single chat. */
  async function begin(): Promise<MessagingModel> {
    const dataSource = test.app.get(DataSource);
    for (const { tableName } of dataSource.entityMetadatas)
      if (/^(conversation|message|read_|first_)/.test(tableName))
        await dataSource.query(`DELETE FROM ${tableName}`);
    const oracle = new MessagingModel();
    const [ann, ben] = [chatUsers.get(1) as ChatUser, chatUsers.get(2) as ChatUser];
    const now = test.clock.now();
    oracle.add(await ann.createGroup([2, 3]), 'group', [1, 2, 3], now);
    const large = await ben.createGroup([1, 3, 4]);
    oracle.add(large, 'group', [2, 1, 3, 4], now);
    await switchToLargeGroup(test, large);
    oracle.add(await ann.openSingle(2), 'single', [1, 2], now);
    return oracle;
  }

  it('match a model in every list, history, count and reader', async () => {
    const args = [
      fc.constantFrom(...USERS),
      fc.nat({ max: 2 }),
      fc.constantFrom(0, 1, 1000, 40_000),
      fc.nat({ max: 11 }),
    ] as const;
    const acts = [Send, Send, Send, ReadAll, ReadUpTo, ReadUpTo, Recall, Add, Add, Leave, Settle].map(
      (Kind) => fc.tuple(...args).map((values) => new Kind(...values)),
    );
    await fc.assert(
      fc.asyncProperty(fc.commands(acts, { maxCommands: 60, size: 'max' }), async (commands) => {
        const oracle = await begin();
        await fc.asyncModelRun(() => ({ model: oracle, real: { test, chatUsers } }), commands);
        for (const chatUser of chatUsers.values()) {
          await expectSameList(oracle, chatUser);
          await expectSameHistories(oracle, chatUser);
        }
        await expectConsistentMessaging(test.app.get(DataSource));
      }),
      propertyRuns(20),
    );
  });
});
