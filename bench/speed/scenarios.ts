import type { Request } from 'autocannon';
import { inboxLists } from '../baseline/seed';
import {
  blocksOf,
  hex,
  notificationIdOf,
  ownedInbox,
  smallInbox,
  smallInboxes,
  typesOf,
} from '../seed/notifications';
import type { Ids, Plan } from '../seed/plan';
import { MESSAGING } from './messaging-scenarios';
import { ALL, as, JSON_BODY, read, type Scenario } from './scenario';

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

const ofUsers = ({ first, count }: Ids): string => `user_id BETWEEN ${first} AND ${first + count - 1}`;

const NOTIFICATIONS: Scenario[] = [
  { ...read('notifications', 'unread count', () => '/api/notifications/unread-count'), servers: ALL },
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
    servers: ALL,
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
      service: (plan) => {
        const users = ofUsers(plan.inboxOwners);
        return [
          `UPDATE notification_inboxes SET version = version + 1 WHERE ${users}`,
          `UPDATE notification_types SET unread = total WHERE ${users}`,
          ...blocksOf(ownedInbox(plan)).map((block) => {
            const { start, unread } = block.toStored();
            // Not a join: SQLite has no UPDATE of joined tables.
            return `UPDATE notification_blocks SET unread = ${hex(unread)},
              version = (SELECT version FROM notification_inboxes i WHERE i.user_id = notification_blocks.user_id)
              WHERE start = ${start} AND ${users}`;
          }),
        ];
      },
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
    servers: ALL,
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
        `UPDATE notification_inboxes SET version = version + 1 WHERE ${ofUsers(smallInboxes(plan))}`,
        ...typesOf(smallInbox(plan)).map(
          ({ type, unread }) => `UPDATE notification_types SET epoch = 0, unread = ${unread}
            WHERE ${ofUsers(smallInboxes(plan))} AND type = '${type}'`,
        ),
      ],
      baseline: (plan) => inboxLists(ofUsers(smallInboxes(plan))),
    },
  },
];

const admin = (name: string, path: string, headers: Record<string, string> = {}): Scenario =>
  read('device-groups', name, () => `/api/admin/device-groups${path}`, { ...as(1, 'admin'), ...headers });

const DEVICE_GROUPS: Scenario[] = [
  admin('list, page 1', ''),
  admin('tree (brotli)', '/tree', { 'accept-encoding': 'br' }),
  { ...admin('tree, unchanged (304)', '/tree', { 'if-none-match': '*' }), status: 304 },
];

/** Acts on the call that the same connection has placed. */
const act = (user: number, path: string): Request => ({
  method: 'POST',
  headers: { ...as(user), ...JSON_BODY },
  body: JSON.stringify({ terminal_id: `phone-${user}` }),
  setupRequest: (request, { callId = 0 }: { callId?: number }) => ({
    ...request,
    path: `/api/calls/${callId}/${path}`,
  }),
});

const CALLS: Scenario[] = [
  {
    part: 'calls',
    name: 'call, accept, hang up',
    kind: 'write',
    servers: ALL,
    requestsPerUnit: 3,
    requests: ({ callers }, index) => {
      const caller = callers.first + 2 * index;
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
