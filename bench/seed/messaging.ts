import { FAN_OUT_ON_WRITE_LIMIT } from '../../src/messaging/store/membership-changes.store';
import { ConversationRows, CREATED } from './conversation-rows';
import type { Loader } from './loader';
import { CROWD, CROWD_SENDERS, FIRST_SINGLE, type Ids, LONG_CHAT, type Plan, SINGLE_MESSAGES } from './plan';

const HISTORY_DAY = '2025-03-01';
const GROUPS_DAY = '2026-01-01';
const INTERVAL = 'conversation_id, user_id, to_seq, from_seq, read_at';
const FIRST_READ = 'conversation_id, to_seq, from_seq, read_at';

/** Number of consecutive messages of one user in the long chat and in user 1's other chats. */
const TURN = 10;
const READ_AFTER_SECONDS = 30;

/** Inserts conversations, members, messages and read intervals, as `src/messaging` stores them. */
export async function seedMessaging(loader: Loader, plan: Plan): Promise<void> {
  const seed = new MessagingSeed(loader, plan);
  await seed.longChat();
  await seed.crowd();
  await seed.otherChats();
  await seed.groups(
    { first: plan.hotGroup.id, count: 1 },
    plan.hotGroup.members.first,
    plan.hotGroup.members.count,
  );
  await seed.groups(plan.groups, plan.hotGroup.members.first, plan.groupMembers, plan.guest);
  await seed.emptyChat();
  await seed.derived();
}

class MessagingSeed {
  readonly #rows: ConversationRows;

  constructor(
    private readonly loader: Loader,
    private readonly plan: Plan,
  ) {
    this.#rows = new ConversationRows(loader);
  }

  /** Users 1 and 2 take turns, and each turn is read at its end. Nothing is unread. */
  async longChat(): Promise<void> {
    const { loader, plan } = this;
    const at = (seq: string): string => loader.moment(HISTORY_DAY, `(${seq}) * 20`);
    await this.#rows.conversations(1, {
      id: String(LONG_CHAT),
      key: "'1:2'",
      members: 2,
      messages: plan.history,
    });
    for (const user of [1, 2])
      await this.#rows.members(1, {
        conversation: String(LONG_CHAT),
        user: String(user),
        peer: String(3 - user),
        read: String(plan.history),
        sortAt: at(String(plan.history)),
      });
    await this.#rows.messages(plan.history, {
      conversation: String(LONG_CHAT),
      seq: 'n + 1',
      sender: `CASE WHEN ${loader.quotient('n', TURN)} % 2 = 0 THEN 1 ELSE 2 END`,
      at: at('n + 1'),
    });
    const [from, to] = [`n * ${TURN} + 1`, `n * ${TURN} + ${TURN}`];
    await loader.insert(
      'read_intervals',
      INTERVAL,
      [String(LONG_CHAT), '2 - n % 2', to, from, loader.moment(HISTORY_DAY, `(${to}) * 20 + 5`)],
      plan.history / TURN,
    );
  }

  /**
   * A group above the fan-out limit. A hundred members write in turn, and each has read everything before. The other
   * members have read once, up to a position in the last tenth.
   */
  async crowd(): Promise<void> {
    const { loader, plan } = this;
    const { crowd, crowdMessages: messages } = plan;
    const at = (seq: string): string => loader.moment(GROUPS_DAY, `(${seq}) * 60`);
    const late = loader.moment(GROUPS_DAY, `${messages} * 60 + ${READ_AFTER_SECONDS}`);
    const fanOutOnRead = crowd > FAN_OUT_ON_WRITE_LIMIT;
    await this.#rows.conversations(1, {
      id: String(CROWD),
      name: "'Everybody'",
      members: crowd,
      messages,
      firstRead: messages,
      pulled: fanOutOnRead,
    });
    const read = `CASE WHEN n < ${CROWD_SENDERS} THEN ${messages}
      ELSE ${messages} - 1 - (n * 7919) % ${messages / 10} END`;
    await this.#rows.members(crowd, {
      conversation: String(CROWD),
      user: 'n + 1',
      read,
      pulled: fanOutOnRead,
      sortAt: loader.moment(CREATED, '0'),
    });
    await this.#rows.messages(messages, {
      conversation: String(CROWD),
      seq: 'n + 1',
      sender: `n % ${CROWD_SENDERS} + 1`,
      at: at('n + 1'),
    });
    const intervals = (values: string[], count: number): Promise<void> =>
      loader.insert('read_intervals', INTERVAL, [String(CROWD), ...values], count);
    // The sender of n + 2 reads everything since that member's previous message.
    const since = loader.greatest(`n + 2 - ${CROWD_SENDERS} + 1`, '1');
    await intervals([`(n + 1) % ${CROWD_SENDERS} + 1`, 'n + 1', since, at('n + 2')], messages - 1);
    const own = `${messages} - ${CROWD_SENDERS} + n + 1`;
    await intervals(['n + 1', String(messages), `${own} + 1`, late], CROWD_SENDERS - 1);
    const others = `${messages} - 1 - ((n + ${CROWD_SENDERS}) * 7919) % ${messages / 10}`;
    await intervals([`n + ${CROWD_SENDERS} + 1`, others, '1', late], crowd - CROWD_SENDERS);
    await loader.insert(
      'first_reads',
      FIRST_READ,
      [String(CROWD), 'n + 1', 'n + 1', `CASE WHEN n + 1 < ${messages} THEN ${at('n + 2')} ELSE ${late} END`],
      messages,
    );
  }

  /** Chats of user 1 with every other user: ten messages, the last two unread. */
  async otherChats(): Promise<void> {
    const { loader, plan } = this;
    const count = plan.users - FIRST_SINGLE + 1;
    const peer = `n + ${FIRST_SINGLE}`;
    const at = (index: string, seq: string): string =>
      loader.moment(GROUPS_DAY, `(${index}) * 600 + (${seq}) * 30`);
    await this.#rows.conversations(count, {
      id: peer,
      key: loader.text("'1:'", peer),
      members: 2,
      messages: SINGLE_MESSAGES,
    });
    const half = SINGLE_MESSAGES / 2;
    const readUpTo = SINGLE_MESSAGES - 2;
    const member = { conversation: peer, sortAt: at('n', String(SINGLE_MESSAGES)) };
    await this.#rows.members(count, {
      ...member,
      user: '1',
      peer,
      read: String(readUpTo),
      pinned: 'n % 500 = 499',
    });
    await this.#rows.members(count, { ...member, user: peer, peer: '1', read: String(SINGLE_MESSAGES) });
    const index = loader.quotient('n', SINGLE_MESSAGES);
    const seq = `(n % ${SINGLE_MESSAGES} + 1)`;
    await this.#rows.messages(count * SINGLE_MESSAGES, {
      conversation: `${index} + ${FIRST_SINGLE}`,
      seq,
      sender: `CASE WHEN ${seq} <= ${half} THEN 1 ELSE ${index} + ${FIRST_SINGLE} END`,
      at: at(index, seq),
    });
    for (const [user, from, to] of [
      ['1', half + 1, readUpTo],
      [peer, 1, half],
    ] as const) {
      const values = [peer, user, String(to), String(from), at('n', String(SINGLE_MESSAGES))];
      await loader.insert('read_intervals', INTERVAL, values, count);
    }
  }

  /**
   * Small groups whose first member has written all messages and whose other members have read them in one step.
   * @param guest one more member of all of them
   */
  async groups(ids: Ids, firstUser: number, size: number, guest?: number): Promise<void> {
    const { loader, plan } = this;
    const { groupMessages: messages } = plan;
    const at = (index: string, seq: string): string =>
      loader.moment(GROUPS_DAY, `(${index}) * 60 + (${seq}) * 5`);
    const [group, place] = [loader.quotient('n', size), `n % ${size}`];
    // Neighbouring groups share no member until all users are used.
    const span = Math.floor((plan.users - firstUser + 1) / size);
    const memberOf = (index: string, position: string): string =>
      `${firstUser} + (${index}) % ${span} * ${size} + ${position}`;
    await this.#rows.conversations(ids.count, {
      id: `n + ${ids.first}`,
      name: loader.text("'Group '", `n + ${ids.first}`),
      members: guest === undefined ? size : size + 1,
      messages,
      firstRead: messages,
    });
    await this.#rows.members(ids.count * size, {
      conversation: `${group} + ${ids.first}`,
      user: memberOf(group, place),
      role: `CASE WHEN ${place} = 0 THEN 'owner' ELSE 'member' END`,
      read: String(messages),
      sortAt: at(group, String(messages)),
    });
    const [index, seq] = [loader.quotient('n', messages), `(n % ${messages} + 1)`];
    await this.#rows.messages(ids.count * messages, {
      conversation: `${index} + ${ids.first}`,
      seq,
      sender: memberOf(index, '0'),
      at: at(index, seq),
    });
    const readers = size - 1;
    const reading = loader.quotient('n', readers);
    const readAt = (of: string): string => at(of, `${messages} + 1`);
    await loader.insert(
      'read_intervals',
      INTERVAL,
      [
        `${reading} + ${ids.first}`,
        memberOf(reading, `n % ${readers} + 1`),
        String(messages),
        '1',
        readAt(reading),
      ],
      ids.count * readers,
    );
    await loader.insert(
      'first_reads',
      FIRST_READ,
      [`n + ${ids.first}`, String(messages), '1', readAt('n')],
      ids.count,
    );
    if (guest === undefined) return;
    const everyGroup = `n + ${ids.first}`;
    await this.#rows.members(ids.count, {
      conversation: everyGroup,
      user: String(guest),
      read: String(messages),
      sortAt: at('n', String(messages)),
    });
    await loader.insert(
      'read_intervals',
      INTERVAL,
      [everyGroup, String(guest), String(messages), '1', readAt('n')],
      ids.count,
    );
  }

  async emptyChat(): Promise<void> {
    const { id, users } = this.plan.chat;
    await this.#rows.conversations(1, {
      id: String(id),
      key: `'${users.join(':')}'`,
      members: 2,
      messages: 0,
    });
    const [first, second] = users.map(String) as [string, string];
    const member = { conversation: String(id), read: '0', sortAt: this.loader.moment(CREATED, '0') };
    await this.#rows.members(1, { ...member, user: first, peer: second });
    await this.#rows.members(1, { ...member, user: second, peer: first });
  }

  /** Inserts derived data: message ids, and the number of conversations of each user. */
  async derived(): Promise<void> {
    await this.loader.run(
      'INSERT INTO message_ids (id, conversation_id, seq) SELECT id, conversation_id, seq FROM messages ORDER BY id',
    );
    await this.loader.run(
      `INSERT INTO conversation_counts (user_id, type, total, hidden, unread)
       SELECT m.user_id, m.type, COUNT(*),
         SUM(CASE WHEN m.pulled = 0 AND m.hidden = 1 THEN 1 ELSE 0 END),
         SUM(CASE WHEN m.pulled = 0 AND m.muted = 0 THEN c.max_seq - m.read_seq ELSE 0 END)
       FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id GROUP BY m.user_id, m.type`,
    );
    await this.loader.analyze([
      'conversations',
      'conversation_members',
      'conversation_counts',
      'messages',
      'message_ids',
      'read_intervals',
      'first_reads',
    ]);
  }
}
