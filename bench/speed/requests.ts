import { notificationIdOf, smallInboxes } from '../seed/notifications';
import { CROWD, FIRST_SINGLE, LONG_CHAT, type Plan } from '../seed/plan';
import type { RequestSpec } from './exchange';
import { groupMembers } from './messaging-scenarios';

/* Requests that check whether both servers behave alike. */

const get = (path: string, more: Partial<RequestSpec> = {}): RequestSpec => ({
  method: 'GET',
  path,
  user: 1,
  ...more,
});
const admin = (path: string, headers: Record<string, string> = {}): RequestSpec =>
  get(`/api/admin/device-groups${path}`, { role: 'admin', headers });

const put = (path: string, user: number): RequestSpec => ({ method: 'PUT', path, user });
const post = (path: string, user: number, body: object = {}): RequestSpec => ({
  method: 'POST',
  path,
  user,
  body,
});
const mark = (user: number, id: number): RequestSpec => put(`/api/notifications/${id}/read`, user);
const markAll = (user: number): RequestSpec => put('/api/notifications/all/read', user);
const act = (callId: number, what: string, user: number, body?: object): RequestSpec =>
  post(`/api/calls/${callId}/${what}`, user, body);

/** Reads of every measured kind: first page, middle, last page and beyond the end. */
export function readsOf(plan: Plan): RequestSpec[] {
  const filters = ['', '&type=order', '&is_read=0', '&is_read=1', '&type=news&is_read=0', '&type=none'];
  const pages = [1, 2, Math.floor(plan.inbox / 60), Math.ceil(plan.inbox / 15), plan.inbox];
  const inbox = filters.flatMap((filter) =>
    pages.map((page) => get(`/api/notifications?page=${page}${filter}`)),
  );
  const chats = '/api/messages/conversations';
  const history = (conversation: number, messages: number): RequestSpec[] =>
    [1, 2, Math.floor(messages / 100), Math.ceil(messages / 50), messages].map((page) =>
      get(`${chats}/${conversation}/messages?page=${page}`),
    );
  const groupPages = [1, 2, Math.ceil(plan.deviceGroups / 15), plan.deviceGroups];
  return [
    get('/api/notifications/unread-count'),
    get('/api/notifications/unread-count', { user: plan.users }),
    ...inbox,
    ...[1, 2, 3, Math.ceil(plan.users / 20), plan.users].map((page) => get(`${chats}?page=${page}`)),
    get(chats, { user: plan.users }),
    ...history(LONG_CHAT, plan.history),
    ...history(CROWD, plan.crowdMessages),
    get(`${chats}/${LONG_CHAT}/messages`, { user: plan.users }),
    ...groupPages.map((page) => admin(`?page=${page}`)),
    admin('?per_page=100'),
    admin('?per_page=101'),
    get('/api/admin/device-groups/tree'),
    admin('/tree'),
    admin('/tree', { 'accept-encoding': 'br' }),
    admin('/tree', { 'if-none-match': '*' }),
  ];
}

/**
 * Writes of every measured kind, each applied to the state that the previous ones left, followed by reads of the
 * result.
 */
export function writesOf(plan: Plan): RequestSpec[] {
  const inboxOwner = plan.inboxOwners.first + 1;
  const small = smallInboxes(plan).first;
  return [
    ...[1, 2, 40].map((seq) => mark(inboxOwner, notificationIdOf(plan, inboxOwner, seq))),
    mark(inboxOwner, notificationIdOf(plan, inboxOwner, 1)),
    mark(inboxOwner, notificationIdOf(plan, inboxOwner + 1, 1)),
    ...inboxOf(inboxOwner),
    markAll(inboxOwner),
    mark(inboxOwner, notificationIdOf(plan, inboxOwner, 3)),
    ...[small, small, small + 1, 1].map(markAll),
    ...[inboxOwner, inboxOwner + 1, small, 1].flatMap(inboxOf),
    ...sendsOf(plan),
    ...callsOf(plan),
  ];
}

/** Reads of an inbox. */
const inboxOf = (user: number): RequestSpec[] =>
  [
    '/unread-count',
    '',
    '?is_read=0',
    '?is_read=1',
    '?is_read=1&page=2',
    '?type=order',
    '?type=order&is_read=0',
  ].map((query) => get(`/api/notifications${query}`, { user }));

/** Sequential and concurrent messages, and the views of the affected members. */
function sendsOf(plan: Plan): RequestSpec[] {
  const chats = '/api/messages/conversations';
  let sent = 0;
  const send = (conversation: number, user: number): RequestSpec => {
    sent += 1;
    const body = { type: 'text', content: `你好 ${sent} 👋`, client_msg_id: `exchange-${sent}` };
    return post(`${chats}/${conversation}/messages`, user, body);
  };
  const burst = (conversation: number, user: number): RequestSpec => ({
    ...post(`${chats}/${conversation}/messages`, user, { type: 'text', content: 'All at once' }),
    times: 8,
  });
  const [one, other] = plan.chat.users;
  const hot = plan.hotGroup.members.first;
  const members = groupMembers(plan, 1);
  const history = (conversation: number, user: number): RequestSpec[] =>
    [1, 2].map((page) => get(`${chats}/${conversation}/messages?per_page=10&page=${page}`, { user }));
  return [
    ...[one, other, other, one].map((user) => send(plan.chat.id, user)),
    ...[hot, hot + 1, hot + 1, hot + 2, hot].map((user) => send(plan.hotGroup.id, user)),
    ...[5, 6, 5, CROWD_READER].map((user) => send(CROWD, user)),
    ...[members.first, members.first + 3].map((user) => send(plan.groups.first + 1, user)),
    send(FIRST_SINGLE, 1),
    send(FIRST_SINGLE, plan.users),
    ...[
      [plan.chat.id, other],
      [plan.hotGroup.id, hot + 4],
      [CROWD, CROWD_READER],
      [FIRST_SINGLE, 1],
    ].map(([conversation = 0, user = 0]) => burst(conversation, user)),
    ...[1, FIRST_SINGLE, 5, one, other, hot, hot + 2, hot + 4, hot + 9, CROWD_READER, members.first].map(
      (user) => get(chats, { user }),
    ),
    get(`${chats}?page=2`),
    // The last sender has nothing unread.
    ...history(plan.chat.id, other),
    ...history(plan.hotGroup.id, hot + 4),
    ...history(CROWD, CROWD_READER),
    ...history(plan.groups.first + 1, members.first + 3),
    ...history(FIRST_SINGLE, 1),
  ];
}

/** A member of the largest group who has not written yet and has unread messages. */
export const CROWD_READER = 205;

/** Three calls from start to end, including actions that must be rejected. The first calls have ids from 1 on. */
function callsOf({ callers: { first } }: Plan): RequestSpec[] {
  const call = (callee_id: number, body: object = {}): RequestSpec =>
    post('/api/calls', first, { callee_id, ...body });
  return [
    call(first + 1, { terminal_id: 'phone' }),
    call(first + 2),
    act(1, 'accept', first, { terminal_id: 'phone' }),
    act(1, 'accept', first + 1, { terminal_id: 'tablet' }),
    act(1, 'hangup', first + 2),
    act(1, 'hangup', first + 1, { reason: 'done' }),
    call(first),
    call(first + 3, { media_type: 'video' }),
    act(2, 'accept', first + 3),
    act(2, 'hangup', first),
    call(first + 1),
    act(3, 'accept', first + 1),
    act(3, 'hangup', first + 1),
    act(99, 'accept', first),
  ];
}
