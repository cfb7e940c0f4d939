import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/config';
import { createApp } from '../../src/create-app';
import { DemoClock } from '../../src/demo/demo-clock';
import { DemoData } from '../../src/demo/demo-data';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { type ApiResponse, ApiClient } from '../support/api-client';
import type { TestDatabase } from '../support/database';
import { testEnvironment } from '../support/environment';
import { createMigratedDatabase } from '../support/migrated-database';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Starts a service whose clock the demo can move. */
async function start(database: TestDatabase, env: NodeJS.ProcessEnv = {}) {
  const clock = new DemoClock();
  const config = loadConfig(testEnvironment(database.url, env));
  const app = await createApp(config, { clock });
  return {
    app,
    port: config.port,
    seed: () => app.get(DemoData).seed(clock),
    api: new ApiClient(app),
    clock,
  };
}

describe('The demo data', () => {
  let database: TestDatabase;
  let service: Awaited<ReturnType<typeof start>>;
  let [alice, bob, admin, emma]: ApiClient[] = [];
  const items = ({ body }: ApiResponse) => body.data.items as Record<string, unknown>[];
  const began = Date.now();

  beforeAll(async () => {
    database = await createMigratedDatabase();
    service = await start(database);
    const people = await service.seed();
    expect(people.map(({ id, account }) => [id, account])).toEqual([
      [1, 'admin'],
      [2, 'alice'],
      [3, 'bob'],
      [4, 'door'],
      [5, 'emma'],
      [6, 'liam'],
    ]);
    const [first, second, third, , fifth] = people;
    [admin, alice, bob, emma] = [first, second, third, fifth].map((person) =>
      service.api.withToken(person?.token ?? ''),
    );
  });
  afterAll(async () => {
    await service?.app.close();
    await database?.drop();
  });
  const get = (who: ApiClient | undefined, path: string): Promise<ApiResponse> =>
    (who ?? service.api).get(path);

  it('contains a chat of 300 messages, a group, and two short chats, one of them hidden', async () => {
    expect(items(await get(alice, '/api/messages/conversations'))).toMatchObject([
      { id: 2, type: 'group', name: '阳光花园邻居群', pinned: true, unread_count: 2, role: 'owner' },
      { id: 1, type: 'single', name: '鲍勃', unread_count: 0 },
      { id: 8, type: 'single', name: '东门门口机', unread_count: 2 },
      { id: 6, type: 'single', name: '陈静', unread_count: 2 },
    ]);
    expect(items(await get(alice, '/api/messages/conversations?hidden=1'))).toMatchObject([
      { id: 4, name: '管理员', unread_count: 0 },
    ]);
    const history = await get(bob, '/api/messages/conversations/1/messages?mark_read=0&per_page=100');
    expect(history.body.data.pagination.total).toBe(300);
    expect((await get(bob, '/api/messages/conversations/1')).body.data.unread_count).toBe(4);
    const types = new Set(items(history).map(({ type }) => String(type)));
    expect([...types].toSorted()).toEqual(['audio', 'file', 'image', 'location', 'text', 'video']);
    const group = items(await get(bob, '/api/messages/conversations/2/messages?mark_read=0'));
    expect(group.filter(({ is_recalled }) => is_recalled)).toHaveLength(1);
  });

  it('has English conversations and names in English', async () => {
    expect(items(await get(emma, '/api/messages/conversations'))).toMatchObject([
      { name: 'Harbour Court neighbours', pinned: true, unread_count: 2 },
      { name: 'Liam Reed', last_message: 'See you at seven!' },
      { name: 'Noah Kim', unread_count: 2 },
      { name: 'Sofia Rossi', unread_count: 2 },
    ]);
  });

  it('refers to media files of the service', async () => {
    const media: string[] = [];
    for (const [who, ids] of [
      [alice, [1, 2, 8]],
      [emma, [3, 5, 9]],
    ] as const)
      for (const id of ids) {
        const history = await get(who, `/api/messages/conversations/${id}/messages?mark_read=0&per_page=100`);
        for (const { type, content, extra } of items(history)) {
          if (type === 'text' || type === 'location') continue;
          media.push(String(content));
          const { poster } = (extra ?? {}) as { poster?: string };
          if (poster !== undefined) media.push(poster);
        }
      }
    const prefix = `http://localhost:${service.port}/demo/`;
    // The other URLs are attachments, whose origin is PUBLIC_URL.
    const shown = media.filter((url) => !url.startsWith('http://localhost:3000/files/'));
    expect(shown.filter((url) => !url.startsWith(prefix))).toEqual([]);
    const files = [...new Set(shown.map((url) => url.slice(prefix.length)))].toSorted();
    expect(files.filter((file) => !existsSync(join('web/public/demo', file)))).toEqual([]);
    expect(files).toEqual([
      'door.jpg',
      'gate.jpg',
      'note.wav',
      'route.pdf',
      'rules.pdf',
      'view.jpg',
      'view.mp4',
      'visitor.jpg',
    ]);
  });

  it('contains a call with every end reason', async () => {
    const calls = [
      ...items(await get(alice, '/api/calls?per_page=50')),
      ...items(await get(bob, '/api/calls?per_page=50')),
    ];
    const ends = new Set(calls.map(({ status, end_reason }) => `${String(status)}: ${String(end_reason)}`));
    expect([...ends].toSorted()).toEqual([
      'cancelled: caller_cancel',
      'ended: admin_end',
      'ended: busy',
      'ended: connection_lost',
      'ended: local_hangup',
      'ended: max_duration',
      'ended: no_answer',
      'rejected: user_reject',
      'rejected: 正在开会',
    ]);
    const longest = calls.find(({ end_reason }) => end_reason === 'max_duration');
    expect(longest).toMatchObject({ duration: 14_400 });
    expect((await get(alice, '/api/calls/active')).body.data).toBeNull();
  });

  it('is counted by its simulated days', async () => {
    await service.app.get(OutboxDispatcher).dispatch();
    const { days, total } = (await get(admin, '/api/admin/stats/calls')).body.data;
    expect(total).toMatchObject({
      created: 15,
      answered: 7,
      rejected: 3,
      cancelled: 1,
      no_answer: 3,
      busy: 1,
      talk_seconds: 16_575,
    });
    const busyDays = days.filter(({ created }: { created: number }) => created > 0);
    expect(busyDays.length).toBeGreaterThan(2);
  });

  it('contains notifications of each kind, read and unread', async () => {
    expect((await get(alice, '/api/notifications/unread-count')).body.data).toEqual({
      count: 22,
      by_type: { announcement: 1, call_missed: 3, order: 18 },
    });
    expect((await get(alice, '/api/notifications?is_read=1')).body.data.total).toBe(3);
    expect((await get(admin, '/api/notifications/unread-count')).body.data.by_type).toEqual({
      announcement: 1,
      device: 1,
      system: 1,
    });
  });

  it('has simulated ages in the order of the ids', async () => {
    const page = items(await get(alice, '/api/messages/conversations/1/messages?per_page=100&page=3'));
    const sent = page.map(({ sent_at }) => Date.parse(String(sent_at)));
    expect(sent).toEqual(sent.toSorted((a, b) => b - a));
    expect(Math.round((began - (sent.at(-1) ?? 0)) / DAY_MS)).toBe(5);
    const events = items(await get(alice, '/api/events/poll?after=0&limit=200'));
    const moments = events.map(({ created_at }) => String(created_at));
    expect(moments).toEqual(moments.toSorted());
    expect(Math.abs(service.clock.now().getTime() - Date.now())).toBeLessThan(5_000);
  });

  it('is created once', async () => {
    expect(await service.seed()).toEqual([]);
    expect(items(await get(admin, '/api/admin/users'))).toHaveLength(11);
  });
});

it('Demo data contains an album, a voice message and a file, which a search finds, when the service stores attachments', async () => {
  const database = await createMigratedDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'callboard-demo-data-'));
  const { app, api, seed } = await start(database, {
    ATTACHMENT_STORAGE: `file:${folder}`,
    FILES_SECRET: 'the-secret-of-the-files-of-the-demo-data',
  });
  const people = await seed();
  const emma = api.withToken(people.find(({ account }) => account === 'emma')?.token ?? '');
  const history = await emma.get('/api/messages/conversations/3/messages?mark_read=0');
  const uploads = (
    history.body.data.items as { type: string; attachments: { name: string }[]; extra: object }[]
  )
    .filter(({ attachments }) => attachments.length > 0)
    .map(({ type, attachments, extra }) => [type, attachments.map(({ name }) => name), 'waveform' in extra]);
  expect(uploads.toReversed()).toEqual([
    ['image', ['morning.jpg', 'noon.jpg', 'evening.jpg'], false],
    ['audio', ['voice.wav'], true],
    ['file', ['Garden rota.csv'], false],
  ]);
  const found = await emma.get('/api/messages/search?keyword=rota&has=attachment');
  expect(found.body.data.items).toMatchObject([{ snippet: 'Garden rota.csv' }]);
  await app.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

it('Demo data is the same with long ring and call durations, except for calls that would still be active', async () => {
  const database = await createMigratedDatabase();
  const settings = { CALL_RING_TIMEOUT_SECONDS: '86400', CALL_MAX_DURATION_SECONDS: '864000' };
  const { app, seed, api } = await start(database, settings);
  const [, alice] = await seed();
  const { body } = await api.withToken(alice?.token ?? '').get('/api/calls?per_page=50');
  const calls = body.data.items as { status: string; end_reason: string }[];
  expect(calls).toHaveLength(7);
  expect(calls.filter(({ status }) => status === 'ringing' || status === 'ongoing')).toEqual([]);
  await app.close();
  await database.drop();
});

it('Two services that start on an empty database create the demo data once', async () => {
  const database = await createMigratedDatabase();
  const services = [await start(database), await start(database)];
  const made = await Promise.all(services.map(({ seed }) => seed()));
  expect(made.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, 6]);
  for (const { app } of services) await app.close();
  await database.drop();
});
