import { randomUUID } from 'node:crypto';
import type { Request } from 'autocannon';
import { type Ids, CROWD, FIRST_SINGLE, LONG_CHAT, type Plan } from '../seed/plan';
import { notificationIdOf, smallInboxes } from '../seed/notifications';
import { tokenOf } from '../tokens';
import { inboxLists } from '../baseline/seed';
import type { Server } from './servers';

/** Runs one statement on the database of a server under test, between rounds. */
export type Run = (server: Server['name'], sql: string) => Promise<unknown>;

/** One line of the table: requests that a number of connections send repeatedly. */
export interface Scenario {
  /** Part of the benchmark that the scenario belongs to. */
  part: 'notifications' | 'messaging' | 'device-groups' | 'calls';
  name: string;
  kind: 'read' | 'write';
  /** Requests that connection number `index` of `connections` sends in turn. */
  requests(plan: Plan, index: number, connections: number): Request[];
  /** If each request can be sent only once: their number. The round ends when they are used up. */
  amount?(plan: Plan): number;
  /** Statements that restore the state before the round. */
  reset?: Record<Server['name'], (plan: Plan) => string[]>;
  /** Expected status of every response. Default: 200. */
  status?: number;
  /** Requests per unit of the table. Default: 1. */
  requestsPerUnit?: number;
  /** Number of concurrent requests. Default: that of the run. */
  connections?: number;
  /** Servers that implement the requests. Default: `BOTH`. */
  servers?: Server['name'][];
  /** Measured with `--cpu` only. */
  isCpuOnly?: true;
}

/** The servers of lines that are not in the floor. */
export const BOTH: Server['name'][] = ['service', 'baseline'];

const tokens = new Map<string, string>();

/** Authorization header of a user. Tokens are cached. */
function as(user: number, role: 'user' | 'admin' = 'user'): { authorization: string } {
  const key = `${user} ${role}`;
  const token = tokens.get(key) ?? tokenOf(user, role);
  tokens.set(key, token);
  return { authorization: `Bearer ${token}` };
}

const JSON_BODY = { 'content-type': 'application/json' };

const read = (
  part: Scenario['part'],
  name: string,
  path: (plan: Plan) => string,
  headers = as(1),
): Scenario => ({
  part,
  name,
  kind: 'read',
  requests: (plan) => [{ method: 'GET', path: path(plan), headers }],
});

/** A page at three quarters of a list of `rows` rows: page 5,000 of 100,000 notifications. */
const deepPage = (rows: number, perPage: number): number => Math.max(1, Math.floor((rows * 0.75) / perPage));

const DRAWN_PAGES = 200;
const PRIME = 7_919;

const inbox = (name: string, query: (plan: Plan) => string): Scenario =>
  read('notifications', name, (plan) => `/api/notifications?${query(plan)}`);

/** Random pages of a list of that many rows, so that hardly any page is near a previous one. */
const anyPage = (name: string, filter: string, rows: (plan: Plan) => number): Scenario => ({
  part: 'notifications',
  name,
  kind: 'read',
  requests: (plan, index, connections) => {
    const pages = Math.max(1, Math.floor(rows(plan) / 15));
    return Array.from({ length: DRAWN_PAGES }, (_, turn) => {
      const page = 1 + (((turn * connections + index) * PRIME) % pages);
      return { method: 'GET', path: `/api/notifications?page=${page}${filter}`, headers: as(1) };
    });
  },
});

/** Messages of members in turn: connection number `index` sends as the member of that number. */
function sending(name: string, to: (plan: Plan) => { conversation: number; members: Ids }[]): Scenario {
  return {
    part: 'messaging',
    name,
    kind: 'write',
    requests: (plan, index, connections) => {
      const places = to(plan);
      const own = places.filter((_, place) => places.length < connections || place % connections === index);
      return own.map(({ conversation, members }) => ({
        method: 'POST',
        path: `/api/messages/conversations/${conversation}/messages`,
        headers: { ...as(members.first + (index % members.count)), ...JSON_BODY },
        setupRequest: (request) => ({
          ...request,
          body: JSON.stringify({ type: 'text', content: 'See you at eight', client_msg_id: randomUUID() }),
        }),
      }));
    },
  };
}

/**
 * Opens a chat that has an unread message: one member sends, another one reads page 1. Every connection has its own
 * chat, so that its message is unread when it reads.
 */
function opening(
  name: string,
  of: (plan: Plan, index: number) => { conversation: number; sender: number; reader: number },
): Scenario {
  return {
    part: 'messaging',
    name,
    kind: 'write',
    requestsPerUnit: 2,
    servers: ['service'],
    isCpuOnly: true,
    requests: (plan, index) => {
      const { conversation, sender, reader } = of(plan, index);
      const path = `/api/messages/conversations/${conversation}/messages`;
      const body = JSON.stringify({ type: 'text', content: 'See you at eight' });
      return [
        { method: 'POST', path, headers: { ...as(sender), ...JSON_BODY }, body },
        { method: 'GET', path, headers: as(reader) },
      ];
    },
  };
}

/** Returns the members of the group with this index (see `seed/messaging.ts`). */
export function groupMembers({ users, hotGroup, groupMembers: count }: Plan, index: number): Ids {
  const { first } = hotGroup.members;
  const span = Math.floor((users - first + 1) / count);
  return { first: first + (index % span) * count, count };
}

const ofUsers = ({ first, count }: Ids): string => `user_id BETWEEN ${first} AND ${first + count - 1}`;

const NOTIFICATIONS: Scenario[] = [
  read('notifications', 'unread count', () => '/api/notifications/unread-count'),
  inbox('page 1', () => 'page=1'),
  inbox('a deep page', ({ inbox: rows }) => `page=${deepPage(rows, 15)}`),
  inbox('page 1, type', () => 'type=order'),
  inbox('page 1, is_read', () => 'is_read=0'),
  inbox('page 1, type and is_read', () => 'type=order&is_read=0'),
  inbox('a deep page, type', ({ inbox: rows }) => `type=order&page=${deepPage(rows / 4, 15)}`),
  inbox('a deep page, is_read', ({ inbox: rows }) => `is_read=1&page=${deepPage(rows * 0.7, 15)}`),
  inbox(
    'a deep page, type and is_read',
    ({ inbox: rows }) => `type=order&is_read=1&page=${deepPage(rows / 8, 15)}`,
  ),
  anyPage('any page', '', ({ inbox: rows }) => rows),
  anyPage('any page, is_read', '&is_read=1', ({ inbox: rows }) => rows * 0.7),
  {
    part: 'notifications',
    name: 'mark one read',
    kind: 'write',
    requests: (plan, index, connections) => {
      const { inboxOwners, inboxSize } = plan;
      let sent = 0;
      const next = (): Request => {
        const user =
          inboxOwners.first + ((index + connections * Math.floor(sent / inboxSize)) % inboxOwners.count);
        const seq = (sent % inboxSize) + 1;
        sent += 1;
        return { headers: as(user), path: `/api/notifications/${notificationIdOf(plan, user, seq)}/read` };
      };
      return [{ method: 'PUT', setupRequest: (request) => ({ ...request, ...next() }) }];
    },
    // Few enough that no connection reaches the end of an inbox and repeats a read.
    amount: ({ inboxOwners, inboxSize }) => Math.min(16, inboxOwners.count) * (inboxSize - 1),
    reset: {
      service: ({ inboxOwners }) => [
        `UPDATE notifications SET unread_epoch = 1 WHERE ${ofUsers(inboxOwners)} AND unread_epoch = 0`,
        `UPDATE notification_counts SET unread = total WHERE ${ofUsers(inboxOwners)}`,
      ],
      baseline: ({ inboxOwners }) => [
        `UPDATE notifications SET unread_epoch = 1 WHERE ${ofUsers(inboxOwners)} AND unread_epoch = 0`,
        ...inboxLists(ofUsers(inboxOwners)),
      ],
    },
  },
  {
    part: 'notifications',
    name: 'mark all read',
    kind: 'write',
    requests: (plan, index, connections) => {
      const { first, count } = smallInboxes(plan);
      let sent = 0;
      return [
        {
          method: 'PUT',
          path: '/api/notifications/all/read',
          setupRequest: (request) => {
            const user = first + ((index + connections * sent) % count);
            sent += 1;
            return { ...request, headers: as(user) };
          },
        },
      ];
    },
    amount: (plan) => smallInboxes(plan).count,
    reset: {
      service: (plan) => [
        `UPDATE notification_counts SET epoch = 1, unread = (SELECT COUNT(*) FROM notifications n
           WHERE n.user_id = notification_counts.user_id AND n.type = notification_counts.type AND n.unread_epoch = 1)
         WHERE level = 3 AND ${ofUsers(smallInboxes(plan))}`,
      ],
      baseline: (plan) => inboxLists(ofUsers(smallInboxes(plan))),
    },
  },
];

const history = (name: string, query: (plan: Plan) => string, conversation = LONG_CHAT): Scenario =>
  read('messaging', name, (plan) => `/api/messages/conversations/${conversation}/messages?${query(plan)}`);

const MESSAGING: Scenario[] = [
  read('messaging', 'conversations, page 1', () => '/api/messages/conversations'),
  history('history, page 1', () => 'page=1'),
  history('history, a deep page', ({ history: rows }) => `page=${Math.floor(rows / 100)}`),
  history('history of the largest group', () => 'page=1', CROWD),
  sending('send to a single chat', ({ chat }) => [
    { conversation: chat.id, members: { first: chat.users[0], count: 2 } },
  ]),
  sending('send to a group of 50', ({ hotGroup: { id, members } }) => [{ conversation: id, members }]),
  sending('send to the largest group', () => [{ conversation: CROWD, members: { first: 2, count: 90 } }]),
  {
    ...sending('one account to its 2,000 chats', ({ users }) =>
      Array.from({ length: users - FIRST_SINGLE + 1 }, (_, index) => ({
        conversation: FIRST_SINGLE + index,
        members: { first: 1, count: 1 },
      })),
    ),
    connections: 32,
  },
  {
    ...sending('one account to a group of 50', ({ hotGroup: { id, members } }) => [
      { conversation: id, members: { first: members.first, count: 1 } },
    ]),
    connections: 32,
  },
  sending('send to many groups', (plan) =>
    Array.from({ length: plan.groups.count }, (_, index) => ({
      conversation: plan.groups.first + index,
      members: groupMembers(plan, index),
    })),
  ),
  {
    ...sending('one account to many groups', ({ groups, guest }) =>
      Array.from({ length: groups.count }, (_, index) => ({
        conversation: groups.first + index,
        members: { first: guest, count: 1 },
      })),
    ),
    isCpuOnly: true,
  },
  opening('send, open the single chat', (_, index) => ({
    conversation: FIRST_SINGLE + index,
    sender: 1,
    reader: FIRST_SINGLE + index,
  })),
  opening('send, open the group', (plan, index) => {
    const { first } = groupMembers(plan, index);
    return { conversation: plan.groups.first + index, sender: first, reader: first + 1 };
  }),
];

const admin = (name: string, path: string, headers: Record<string, string> = {}): Scenario =>
  read('device-groups', name, () => `/api/admin/device-groups${path}`, { ...as(1, 'admin'), ...headers });

const DEVICE_GROUPS: Scenario[] = [
  admin('list, page 1', ''),
  admin('tree (brotli)', '/tree', { 'accept-encoding': 'br' }),
  { ...admin('tree, unchanged (304)', '/tree', { 'if-none-match': '*' }), status: 304 },
];

const CALLS: Scenario[] = [
  {
    part: 'calls',
    name: 'call, accept, hang up',
    kind: 'write',
    requestsPerUnit: 3,
    requests: ({ callers }, index) => {
      const caller = callers.first + 2 * index;
      const act = (user: number, path: string): Request => ({
        method: 'POST',
        headers: { ...as(user), ...JSON_BODY },
        body: JSON.stringify({ terminal_id: `phone-${user}` }),
        setupRequest: (request, { callId = 0 }: { callId?: number }) => ({
          ...request,
          path: `/api/calls/${callId}/${path}`,
        }),
      });
      return [
        {
          method: 'POST',
          path: '/api/calls',
          headers: { ...as(caller), ...JSON_BODY },
          body: JSON.stringify({ callee_id: caller + 1, terminal_id: `phone-${caller}` }),
          onResponse: (status, body, context: { callId?: number }) => {
            if (status === 200)
              context.callId = (JSON.parse(body) as { data: { call_id: number } }).data.call_id;
          },
        },
        act(caller + 1, 'accept'),
        act(caller, 'hangup'),
      ];
    },
  },
];

export const SCENARIOS: Scenario[] = [...NOTIFICATIONS, ...MESSAGING, ...DEVICE_GROUPS, ...CALLS];

/** Returns the unique name of a scenario. */
export const titleOf = ({ part, name }: Scenario): string => `${part}: ${name}`;
