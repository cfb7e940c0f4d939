import { readFileSync } from 'node:fs';
import { jobsOf } from '../../src/common/jobs/periodic-job';
import { KeyUses } from '../../src/keys/key-uses';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import type { ApiClient } from '../support/api-client';
import { createTestApp, START, type TestApp } from '../support/test-app';

const PLANTED = 'planted-secret-of-thirty-two-bytes-or-more';
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Item {
  name: string;
  status: string;
  last_success_at: string | null;
  last_error: string | null;
  last_error_at: string | null;
}

describe('The system status for administrators', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp({ env: { WEBHOOK_SECRET: PLANTED } });
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  const health = async (): Promise<Item[]> => (await admin.get('/api/admin/health')).body.data.items;
  const item = async (name: string): Promise<Item | undefined> =>
    (await health()).find((one) => one.name === name);

  it('contains each component and each job', async () => {
    const items = await health();
    expect(items.map(({ name }) => name)).toEqual([
      'database',
      'outbox',
      'push',
      'redis',
      'webhooks',
      'abandoned_conversations',
      'announcement_recalls',
      'attachment_sweep',
      'audit_retention',
      'call_deadlines',
      'creation_key_retention',
      'database_time',
      'device_watch',
      'event_polling',
      'event_retention',
      'key_uses',
      'live_reads',
      'media_webhook_retention',
      'mute_ends',
      'notification_snoozes',
      'outbox_retention',
      'outbox_sweep',
      'outbox_wanted_types',
      'presence_watching',
      'presence_writing',
      'push_fanout',
      'push_retention',
      'push_sweep',
      'search_index',
      'session_retention',
      'signal_retention',
      'statistics_walk',
      'stream_access',
      'stream_counts',
      'typing',
      'user_activity',
      'webhook_holding',
      'webhook_retention',
      'webhook_sweep',
    ]);
    for (const one of items) {
      expect(Object.keys(one)).toEqual(['name', 'status', 'last_success_at', 'last_error', 'last_error_at']);
      for (const moment of [one.last_success_at, one.last_error_at])
        if (moment !== null) expect(moment).toMatch(MOMENT);
    }
    const statusOf = Object.fromEntries(items.map(({ name, status }) => [name, status]));
    expect(statusOf).toMatchObject({
      database: 'up',
      outbox: 'up',
      redis: 'off',
      webhooks: 'off',
      key_uses: 'up',
    });
    expect(items[0]).toEqual({
      name: 'database',
      status: 'up',
      last_success_at: START,
      last_error: null,
      last_error_at: null,
    });
  });

  it('documents every component and every job', async () => {
    const documented = Array.from(
      readFileSync('docs/administration.md', 'utf8').matchAll(/^\| `([a-z_]+)` /gm),
      ([, name]) => name,
    );
    for (const { name } of await health()) expect(documented).toContain(name);
  });

  it('reports undispatched domain events, with the reason', async () => {
    const router = test.app.get(OutboxDispatcher);
    await expect(router.record.of(Promise.reject(new Error('no space left')))).rejects.toThrow();
    expect(await item('outbox')).toMatchObject({
      status: 'down',
      last_error: 'Error: no space left',
      last_error_at: START,
    });
    test.clock.advance(5);
    await router.record.of(router.dispatch());
    expect(await item('outbox')).toMatchObject({
      status: 'up',
      last_success_at: '2026-01-31T08:00:05.000Z',
      last_error: 'Error: no space left',
      last_error_at: START,
    });
  });

  it('stops the jobs before the shutdown hooks that write for the last time', async () => {
    const other = await createTestApp();
    const stopped: string[] = [];
    for (const owner of [other.app.get(OutboxDispatcher), other.app.get(KeyUses)]) {
      const shutDown = owner.onModuleDestroy.bind(owner);
      const jobs = jobsOf(owner);
      expect(jobs.map(({ health: { status } }) => status)).not.toContain('off');
      owner.onModuleDestroy = () => {
        stopped.push(...jobs.map(({ name, health: { status } }) => `${name}: ${status}`));
        return shutDown();
      };
    }
    await other.close();
    expect(stopped).toEqual([
      'outbox_wanted_types: off',
      'outbox_sweep: off',
      'outbox_retention: off',
      'key_uses: off',
    ]);
  });

  it('reports failing webhooks', async () => {
    const url = 'https://backend.example/';
    const created = await admin.post('/api/admin/webhooks', { url, event_types: ['device.deleted'] });
    const { id } = created.body.data;
    expect(await item('webhooks')).toMatchObject({ status: 'up', last_success_at: null, last_error: null });
    await test.query(
      `UPDATE webhook_endpoints SET failed_attempts = 7, last_failure_at = '2026-01-31 07:00:00.000',
         last_success_at = '2026-01-31 06:00:00.000' WHERE id = ${id}`,
    );
    expect(await item('webhooks')).toEqual({
      name: 'webhooks',
      status: 'down',
      last_success_at: '2026-01-31T06:00:00.000Z',
      last_error: `Endpoint ${id}: 7 attempts in a row have failed`,
      last_error_at: '2026-01-31T07:00:00.000Z',
    });
    await admin.delete(`/api/admin/webhooks/${id}`);
    expect(await item('webhooks')).toMatchObject({ status: 'off' });
  });

  it('contains the effective configuration, without secrets', async () => {
    const { body, text } = await admin.get('/api/admin/config');
    expect(body).toMatchObject({
      code: 0,
      data: {
        NODE_ENV: 'test',
        PRESENCE: 'on',
        WEBHOOK_SECRET: 'set',
        WEBHOOK_SECRET_PREVIOUS: null,
        JWT_SECRET: 'set',
        REDIS_URL: null,
        APP_TIMEZONE: 'Asia/Shanghai',
      },
    });
    for (const secret of [PLANTED, test.config.auth.secret ?? '', new URL(test.database.url).password])
      if (secret !== '') expect(text).not.toContain(secret);
  });
});
