import type { ApiClient } from './api-client';
import { newUserIds } from './calls';
import { eventually } from './service-process';
import type { TestApp } from './test-app';
import { testUser } from './users';

const PATH = '/api/admin/announcements';

export interface Announcement {
  id: number;
  status: string;
  recipients: number;
  reach: { delivered: number; read: number; counted_at: string | null };
}

/** Sends an announcement as an administrator and returns the id. */
export async function sendAnnouncement(admin: ApiClient, body: object): Promise<number> {
  const text = { type: 'news', title: 'Title', content: 'Content' };
  const { data } = (await admin.post('/api/admin/notifications', { ...text, ...body })).body;
  return data.announcement_id as number;
}

export const getAnnouncement = async (admin: ApiClient, id: number): Promise<Announcement> =>
  (await admin.get(`${PATH}/${id}`)).body.data as Announcement;

export const recall = async (admin: ApiClient, id: number): Promise<Announcement> =>
  (await admin.post(`${PATH}/${id}/recall`)).body.data as Announcement;

/** Polls the reach of an announcement until it was counted at `since` or later. */
export async function getReach(admin: ApiClient, id: number, since: Date): Promise<object> {
  const { reach } = await eventually(
    () => getAnnouncement(admin, id),
    ({ reach: { counted_at } }) => counted_at !== null && counted_at >= since.toISOString(),
    { betweenMs: 5 },
  );
  return { delivered: reach.delivered, read: reach.read };
}

/** Creates users that no other test of the file uses, with existing inboxes, and returns their clients. */
export const createReaders = (test: TestApp, count: number): Promise<{ id: number; api: ApiClient }[]> =>
  Promise.all(
    newUserIds(count).map(async (id) => {
      const api = await testUser(test.api, { id });
      await api.get('/api/notifications/unread-count');
      return { id, api };
    }),
  );

/** Returns the number of notifications that an announcement still has. */
export async function countCopies(test: TestApp, id: number): Promise<number> {
  const rows = await test.query(`SELECT COUNT(*) AS n FROM notifications WHERE announcement_id = ${id}`);
  return Number((rows[0] as { n: number | string }).n);
}
