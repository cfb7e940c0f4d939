import { notificationIdOf } from '../../bench/seed/notifications';
import { planOf } from '../../bench/seed/plan';
import { seed } from '../../bench/seed/seed';
import { loadDatabaseConfig } from '../../src/config/database-config';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import type { ApiClient } from '../support/api-client';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { driverStatementsOf } from '../support/driver-statements';
import { stopJobs } from '../support/jobs';
import { ChatUser, dataOf } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

/*
 * Number of statements that each operation of the benchmark sends to the database while nothing else is running, and of
 * round trips: statements that are not sent together with an earlier one. COMMIT counts. `SET autocommit` does not,
 * because it depends on the previous use of the connection. No machine changes these numbers, unlike the measurements in
 * docs/performance.md. A change that saves statements lowers a number here; a change that adds one must justify it.
 */

const INBOX = '/api/notifications';
const CALLS = '/api/calls';
const GROUPS = '/api/admin/device-groups';

const plan = planOf(0.01);
const KEEN = plan.inboxOwners.first;

interface Operation {
  name: string;
  /** Number of statements. */
  count: number;
  /** Number of round trips. */
  trips: number;
  run: () => Promise<unknown>;
  /** Creates the state that the operation needs. */
  before?: () => Promise<unknown>;
}

describe('Statements and round trips per operation', () => {
  let database: TestDatabase;
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let member: ChatUser;
  let otherMember: ChatUser;
  let caller: ApiClient;
  let callee: ApiClient;
  let reader: ApiClient;
  let admin: ApiClient;
  let callId: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    await seed(loadDatabaseConfig({ DATABASE_URL: database.url }), plan);
    test = await createTestApp({ database });
    await stopJobs(test);
    // Domain events stay undispatched: dispatching them would add statements at some time after the response.
    await test.app.get(OutboxDispatcher).onModuleDestroy();
    const { first } = plan.hotGroup.members;
    [ann, ben, member, otherMember] = (await ChatUser.signInAll(test.api, [
      ...plan.chat.users,
      first,
      first + 1,
    ])) as [ChatUser, ChatUser, ChatUser, ChatUser];
    // Loads the users into the cache of the authentication.
    caller = await testUser(test.api, { id: plan.callers.first });
    callee = await testUser(test.api, { id: plan.callers.first + 1 });
    reader = await testUser(test.api, { id: KEEN });
    admin = await testUser(test.api, { id: 1, role: 'admin' });
  });
  afterAll(async () => {
    await test?.close();
    await database?.drop();
  });

  const chat = plan.chat.id;
  const group = plan.hotGroup.id;
  const get = (path: string) => async (): Promise<unknown> => dataOf(await admin.get(path));
  const put = (path: string, body?: object) => async (): Promise<unknown> =>
    dataOf(await reader.put(path, body));
  const place = async (): Promise<void> => {
    const body = { callee_id: plan.callers.first + 1, terminal_id: 'desk' };
    callId = dataOf(await caller.post(CALLS, body)).call_id;
  };
  const accept = async (): Promise<unknown> =>
    dataOf(await callee.post(`${CALLS}/${callId}/accept`, { terminal_id: 'phone' }));
  const hangUp = async (): Promise<unknown> => dataOf(await caller.post(`${CALLS}/${callId}/hangup`));
  const rename = async (): Promise<unknown> =>
    dataOf(await admin.put(`${GROUPS}/1`, { name: 'First floor' }));

  const operations: Operation[] = [
    {
      name: 'send to a single chat',
      count: 9,
      trips: 4,
      run: () => ann.send(chat),
      before: () => ann.history(chat),
    },
    {
      name: 'send to a group of 50',
      count: 10,
      trips: 5,
      run: () => member.send(group),
      before: () => member.history(group),
    },
    { name: 'place a call', count: 9, trips: 4, run: place },
    { name: 'accept a call', count: 7, trips: 5, run: accept },
    { name: 'hang up a call', count: 8, trips: 5, run: hangUp },
    { name: 'list conversations', count: 1, trips: 1, run: get('/api/messages/conversations') },
    {
      name: 'read a history with nothing unread',
      count: 2,
      trips: 2,
      run: () => ben.history(chat),
      before: () => ben.history(chat),
    },
    {
      name: 'open a single chat with unread messages',
      count: 9,
      trips: 6,
      run: () => ben.history(chat),
      before: () => ann.send(chat),
    },
    {
      name: 'open a group with unread messages',
      count: 12,
      trips: 9,
      run: () => otherMember.history(group),
      before: () => member.send(group),
    },
    {
      name: 'mark a conversation read',
      count: 8,
      trips: 5,
      run: () => ben.read(chat),
      before: () => ann.send(chat),
    },
    { name: 'count unread notifications', count: 1, trips: 1, run: get(`${INBOX}/unread-count`) },
    { name: 'list notifications, page 1', count: 1, trips: 1, run: get(INBOX) },
    { name: 'list unread notifications, page 1', count: 2, trips: 2, run: get(`${INBOX}?is_read=0`) },
    { name: 'list notifications, any page', count: 1, trips: 1, run: get(`${INBOX}?page=100`) },
    {
      name: 'mark one notification read',
      count: 7,
      trips: 3,
      run: put(`${INBOX}/${notificationIdOf(plan, KEEN, 1)}/read`),
    },
    { name: 'mark all notifications read', count: 7, trips: 4, run: put(`${INBOX}/all/read`) },
    { name: 'list device groups', count: 1, trips: 1, run: get(GROUPS), before: get(GROUPS) },
    {
      name: 'read the device group tree',
      count: 1,
      trips: 1,
      run: get(`${GROUPS}/tree`),
      before: get(`${GROUPS}/tree`),
    },
    { name: 'rename a device group', count: 7, trips: 7, run: rename },
  ];

  it.each(operations)(
    'sends $count in $trips round trips to $name',
    async ({ count, trips, run, before }) => {
      await before?.();
      const sent = await driverStatementsOf(run);
      expect([sent.statements.length, sent.trips]).toEqual([count, trips]);
    },
  );
});
