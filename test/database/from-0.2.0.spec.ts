import { readFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { MIGRATIONS } from '../../src/database/migrations';
import { ConversationCountRepairService } from '../../src/messaging/services/conversation-count-repair.service';
import { CounterRepairService } from '../../src/notifications/services/counter-repair.service';
import type { ApiClient } from '../support/api-client';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { FakeClock } from '../support/fake-clock';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { callFigures, countCalls, advanceMinute, repairStatistics } from '../support/statistics';
import { createTestApp, type TestApp } from '../support/test-app';

/**
 * The rows of a service of version 0.2.0 that was killed during calls, and its last responses before that. Created with
 * that version, over HTTP.
 */
interface Fixture {
  taken_at: string;
  refresh_tokens: { kept: string };
  tables: Record<string, { columns: string[]; rows: (string | number | null)[][] }>;
  answers: { user: number; path: string; data: unknown }[];
}

const BEFORE = JSON.parse(readFileSync('test/database/fixtures/v0.2.0.json', 'utf8')) as Fixture;
const LAST_MIGRATION = 'NoteAbandonedConversations1763700060000';

/** Creates a database with the migrations and the rows of that version. */
async function databaseOfBefore(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const config = loadConfig({ DATABASE_URL: database.url }).database;
  const migrations = MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name === LAST_MIGRATION) + 1);
  const dataSource = await createDataSource(config).setOptions({ migrations }).initialize();
  await migrate(dataSource, config);
  const quote = (name: string): string => dataSource.driver.escape(name);
  for (const [table, { columns, rows }] of Object.entries(BEFORE.tables)) {
    if (table === 'migrations') continue;
    await dataSource.query(`DELETE FROM ${quote(table)}`);
    const places = columns.map(() => '?').join();
    const insert = `INSERT INTO ${quote(table)} (${columns.map(quote).join()}) VALUES (${places})`;
    for (const row of rows) await dataSource.query(insert, row);
  }
  await dataSource.destroy();
  return database;
}

/** Removes the time of the response, which differs in each response. */
const withoutMoments = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data, (key, value: unknown) => (key === 'server_time' ? undefined : value)));

const EVENTS = '/api/events/poll';

const RECALLED = new Set(['A slip', 'Wrong group']);

/** Replaces recalled messages in events: version 0.2.0 sent their text after the recall too. */
const withoutRecalled = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    RECALLED.has((value as { content?: string } | null)?.content ?? '')
      ? { id: (value as { id: number }).id, content: '', is_recalled: true }
      : value,
  );

describe('A database of version 0.2.0', () => {
  let test: TestApp;
  let database: TestDatabase;
  const as = (user: number): Promise<ApiClient> =>
    test.api.as({ id: user, role: user === 4 ? 'admin' : 'user' });

  beforeAll(async () => {
    database = await databaseOfBefore();
    const env = { AGORA_WEBHOOK_SECRET: 'secret', CALL_RING_TIMEOUT_SECONDS: '8' };
    test = await createTestApp({ database, clock: new FakeClock(BEFORE.taken_at), env });
  });
  afterAll(async () => {
    await test?.close();
    await database?.drop();
  });

  it('is migrated, and returns the same responses field by field', async () => {
    expect(BEFORE.answers.length).toBeGreaterThan(30);
    for (const { user, path, data } of BEFORE.answers) {
      const { body } = await (await as(user)).get(path);
      const expected = withoutMoments(path.startsWith(EVENTS) ? withoutRecalled(data) : data) as object;
      expect({ path, data: body.data }).toMatchObject({ path, data: expected });
    }
  });

  it('keeps its conversations, calls, notifications and groups', async () => {
    const [alice, bob] = [await as(1), await as(2)];
    const { items } = (await alice.get('/api/messages/conversations')).body.data;
    expect(items).toMatchObject([
      { name: 'Trip', unread_count: 2, pinned: true, muted: false, last_message: 'Saturday then' },
      { name: 'Was mine', unread_count: 1, role: 'owner' },
      { name: 'Bob', unread_count: 0, peer_id: 2 },
    ]);
    expect((await bob.get('/api/messages/unread-count')).body.data).toEqual({ count: 2 });
    const calls = (await alice.get('/api/calls')).body.data.items as { end_reason: string | null }[];
    expect(calls.map(({ end_reason }) => end_reason)).toEqual([
      'busy',
      null,
      'no_answer',
      'caller_cancel',
      'user_reject',
      'local_hangup',
    ]);
    const tree = (await (await as(4)).get('/api/admin/device-groups/tree')).body.data;
    expect(tree).toMatchObject([
      { name: 'Estate', children: [{ name: 'Tower 1', children: [{ name: 'Flats' }] }, { name: 'Gates' }] },
    ]);
  });

  it('delivers a broadcast to users who had not read it before', async () => {
    const unread = (await (await as(2)).get('/api/notifications/unread-count')).body.data;
    expect(unread).toEqual({ count: 4, by_type: { order: 3, system: 1 } });
  });

  it('keeps its sessions, passwords and idempotency ids', async () => {
    const { kept: refresh_token } = BEFORE.refresh_tokens;
    expect((await test.api.post('/api/auth/refresh', { refresh_token })).body.code).toBe(0);
    const login = { account: 'DORA', password: 'dora-password' };
    expect((await test.api.post('/api/auth/login', login)).body.data.user).toMatchObject({ name: 'Dora' });

    const alice = await as(1);
    const again = { type: 'text', content: 'Good morning', client_msg_id: 'once' };
    expect((await alice.post('/api/messages/conversations/1/messages', again)).body.data.id).toBe(1);
    const call = { callee_id: 2, media_type: 'video', terminal_id: 't1', request_id: 'r1' };
    expect((await alice.post('/api/calls', call)).body.data).toMatchObject({ call_id: 1, status: 'ended' });
    const order = { user_ids: [1], type: 'order', title: 'x', content: 'x', dedupe_key: 'order-1' };
    expect((await (await as(4)).post('/api/admin/notifications', order)).body.data).toEqual({
      created: 0,
      announcement_id: null,
    });
  });

  it('accepts new calls, reads, recalls and groups, and appends events', async () => {
    const [alice, bob, carol, admin] = [await as(1), await as(2), await as(3), await as(4)];
    const cursor = (await bob.get('/api/events/poll?after=0&limit=200')).body.data.next_after as number;
    expect((await alice.post('/api/calls/6/hangup', { terminal_id: 't1' })).body.data.status).toBe('ended');
    expect((await (await as(5)).post('/api/calls/8/accept', { terminal_id: 't5' })).body.data).toMatchObject({
      status: 'accepted',
    });
    expect((await bob.post('/api/messages/conversations/1/read')).body.data).toEqual({ unread_count: 0 });
    const sent = (
      await carol.post('/api/messages/conversations/2/messages', { type: 'text', content: 'New' })
    ).body.data;
    expect(sent).toMatchObject({ read_count: 0, unread_count: 9 });
    expect((await carol.post(`/api/messages/${sent.id}/recall`)).body.code).toBe(0);
    expect(
      (await admin.put('/api/admin/device-groups/3/position', { parent_id: 4 })).body.data.parent_id,
    ).toBe(4);
    const { items } = (await bob.get(`/api/events/poll?after=${cursor}`)).body.data;
    expect(items.map(({ id, type }: { id: number; type: string }) => [id - cursor, type])).toEqual([
      [1, 'call.ended'],
      [2, 'conversation.read'],
      [3, 'message.created'],
      [4, 'message.recalled'],
    ]);
  });

  it('has consistent counts', async () => {
    await expectConsistentMessaging(test.app.get(DataSource));
    for (const repair of [test.app.get(CounterRepairService), test.app.get(ConversationCountRepairService)]) {
      const mended = [];
      for await (const drift of repair.repair()) mended.push(drift);
      expect(mended).toEqual([]);
    }
  });

  it('has its calls counted by their days after a recount', async () => {
    await advanceMinute(test);
    await countCalls(test);
    expect(await repairStatistics(test)).not.toEqual([]);
    expect(await repairStatistics(test)).toEqual([]);
    const { days } = await callFigures(test);
    // Days in Shanghai.
    expect(days.at(-1)).toMatchObject({
      day: '2026-11-23',
      created: 7,
      answered: 3,
      rejected: 1,
      cancelled: 1,
      no_answer: 1,
      busy: 1,
    });
  });
});
