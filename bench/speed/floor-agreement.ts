import { setTimeout as pause } from 'node:timers/promises';
import { smallInboxes } from '../seed/notifications';
import { CROWD, FIRST_SINGLE, type Plan } from '../seed/plan';
import { seed } from '../seed/seed';
import { compareResponses } from './response-comparison';
import { configOf, connect, type Databases } from './databases';
import type { RequestSpec } from './exchange';
import { CROWD_READER, readsOf, writesOf } from './requests';
import { groupMembers } from './messaging-scenarios';
import { type Server, startServer } from './servers';

/** Time within which both servers dispatch the ends of calls. */
const MAX_WAIT_MS = 30_000;
const POLL_MS = 100;
const UNDISPATCHED = `SELECT id FROM domain_events
  WHERE position IS NULL OR position > (SELECT MIN(position) FROM domain_event_positions)`;

/** Whether the floor implements a request. */
const isInFloor = ({ method, path }: RequestSpec): boolean =>
  method !== 'GET' ||
  /^\/api\/(notifications\/unread-count|messages\/conversations\/\d+\/messages)/.test(path);

/** @throws {Error} at the first response that differs in any byte */
export async function compareFloorReads(service: Server, floor: Server, plan: Plan): Promise<void> {
  for (const sent of readsOf(plan).filter(isInFloor))
    await compareResponses(service, floor, sent, new Date());
}

/**
 * Sends the same requests to the service and to the floor, each on its own copy of the data. Afterwards a second
 * service on the floor's database must return the same as the first one: lists, histories, calls under each filter, and
 * the events of all affected users. So every row that a later response depends on is there.
 * @throws {Error} at the first response that differs in any byte
 */
export async function requireFloorAgreement(databases: Databases, plan: Plan): Promise<void> {
  const urls = {
    service: await databases.create('pair_service'),
    floor: await databases.create('pair_floor'),
  };
  for (const url of Object.values(urls)) await seed(configOf(url), plan);
  const servers: Server[] = [];
  const start = async (name: Server['name'], url: string): Promise<Server> => {
    const server = await startServer(name, url);
    servers.push(server);
    return server;
  };
  try {
    const service = await start('service', urls.service);
    const floor = await start('floor', urls.floor);
    await compareFloorReads(service, floor, plan);
    const since = new Date();
    for (const sent of [...writesOf(plan).filter(isInFloor), ...opensOf(plan)])
      await compareResponses(service, floor, sent, since);
    await compareCountedCalls(Object.values(urls));
    const observer = { ...(await start('service', urls.floor)), name: 'floor' as const };
    for (const sent of [...consequencesOf(plan), ...readsOf(plan)])
      await compareResponses(service, observer, sent, since);
  } finally {
    for (const server of servers) await server.stop();
  }
}

const get = (path: string, user: number): RequestSpec => ({ method: 'GET', path, user });

const open = (conversation: number, user: number, query = ''): RequestSpec =>
  get(`/api/messages/conversations/${conversation}/messages${query}`, user);

/** Histories with unread messages: of a single chat, of groups, and of a group that is fanned out on read. */
function opensOf(plan: Plan): RequestSpec[] {
  const hot = plan.hotGroup.members.first;
  return [
    ...plan.chat.users.map((user) => open(plan.chat.id, user)),
    ...[hot + 9, hot + 1, hot + 10].map((user) => open(plan.hotGroup.id, user)),
    open(plan.groups.first + 1, groupMembers(plan, 1).first + 5, '?per_page=2&page=2'),
    open(CROWD, CROWD_READER + 1),
    open(FIRST_SINGLE, plan.users),
    open(FIRST_SINGLE, FIRST_SINGLE),
  ];
}

/** Reads of the users whom the writes affect, and their events. */
function consequencesOf(plan: Plan): RequestSpec[] {
  const { callers, chat, hotGroup, inboxOwners: keen } = plan;
  const hot = hotGroup.members.first;
  const members = groupMembers(plan, 1).first;
  const small = smallInboxes(plan).first;
  const users = [
    1,
    FIRST_SINGLE,
    5,
    6,
    plan.guest,
    CROWD_READER,
    CROWD_READER + 1,
    plan.users,
    ...chat.users,
    ...[0, 1, 2, 4, 9, 10, 30].map((index) => hot + index),
    ...[0, 3, 5, 9].map((index) => members + index),
    keen.first,
    keen.first + 1,
    keen.first + 2,
    small,
    small + 1,
    ...[0, 1, 2, 3].map((index) => callers.first + index),
  ];
  const filters = [
    '',
    '&missed=1',
    '&direction=incoming',
    '&direction=outgoing',
    '&media_type=video',
  ].flatMap((filter) => [filter, `${filter}&peer_id=${callers.first + 1}`]);
  return [
    ...writesOf(plan).filter(({ method }) => method === 'GET'),
    ...users.flatMap((user) => [
      get('/api/events/poll?after=0&limit=500', user),
      get('/api/messages/conversations', user),
      get('/api/messages/unread-count', user),
      get('/api/notifications?is_read=0', user),
    ]),
    ...[0, 1, 3].flatMap((index) =>
      filters.map((filter) => get(`/api/calls?page=1${filter}`, callers.first + index)),
    ),
    ...[1, 2, 3].map((call) => get(`/api/calls/${call}`, callers.first)),
  ];
}

/** Waits until every domain event is dispatched, and compares the number of counted calls. */
async function compareCountedCalls(urls: string[]): Promise<void> {
  const counts = [];
  for (const url of urls) {
    const database = await connect(url);
    const giveUpAt = performance.now() + MAX_WAIT_MS;
    try {
      while ((await database.query<unknown[]>(UNDISPATCHED)).length > 0) {
        if (performance.now() > giveUpAt) throw new Error('Domain events are not dispatched');
        await pause(POLL_MS);
      }
      counts.push(
        await database.query(
          "SELECT metric, day, value FROM stats_daily WHERE metric LIKE 'calls.%.answered' ORDER BY metric, day",
        ),
      );
    } finally {
      await database.destroy();
    }
  }
  const [service, floor] = counts.map((rows) => JSON.stringify(rows));
  if (service !== floor)
    throw new Error(`Calls are counted differently:\nservice: ${service}\nfloor: ${floor}`);
}
