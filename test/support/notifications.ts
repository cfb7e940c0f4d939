import type { Drift } from '../../src/common/drift';
import { CounterRepairService } from '../../src/notifications/services/counter-repair.service';
import type { ApiClient } from './api-client';
import { newUserIds } from './calls';
import { eventually } from './service-process';
import type { TestApp } from './test-app';
import { testUser } from './users';

export interface Listed {
  id: number;
  type: string;
  title: string;
  is_read: number;
  archived: number;
  snooze_until: string | null;
  created_at: string;
}

/** Returns a user that no other test of the file uses, and its client. */
export async function createUser(api: ApiClient): Promise<{ id: number; api: ApiClient }> {
  const [id = 0] = newUserIds(1);
  return { id, api: await testUser(api, { id }) };
}

/** Sends a notification as an administrator. Returns the number of recipients; undefined if it was rejected. */
export async function sendNotification(admin: ApiClient, body: object): Promise<number | undefined> {
  const text = { type: 'system', title: 'Title', content: 'Content' };
  return (await admin.post('/api/admin/notifications', { ...text, ...body })).body.data?.created;
}

/** Returns the newest 100 notifications of a user and the pagination; `query` starts with `&`. */
export async function listNotifications(
  api: ApiClient,
  query = '',
): Promise<{ list: Listed[]; total: number }> {
  return (await api.get(`/api/notifications?per_page=100${query}`)).body.data;
}

export async function listTitles(api: ApiClient, query = ''): Promise<string[]> {
  return (await listNotifications(api, query)).list.map(({ title }) => title);
}

export async function getUnreadCount(
  api: ApiClient,
): Promise<{ count: number; by_type: Record<string, number> }> {
  return (await api.get('/api/notifications/unread-count')).body.data;
}

/** Corrects the counters and returns every difference. */
export async function repairCounters({ app }: TestApp): Promise<Drift[]> {
  const drift: Drift[] = [];
  for await (const found of app.get(CounterRepairService).repair()) drift.push(found);
  return drift;
}

/** Waits until no inbox contains a recalled notification. */
export async function untilRecalled(test: TestApp): Promise<void> {
  const left = await eventually(
    () => test.query('SELECT announcement_id FROM announcement_recalls'),
    (rows) => rows.length === 0,
    { betweenMs: 1 },
  );
  expect(left).toEqual([]);
}
