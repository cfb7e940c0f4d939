import type { DemoClient } from './client';

/** A notification to all users, read by one of them. */
export async function demonstrateNotifications(
  { admin, bob }: Record<'admin' | 'bob', DemoClient>,
  chapter: (title: string) => void,
): Promise<void> {
  chapter('Notifications: a broadcast, the unread count, mark all');
  const announcement = { type: 'system', title: '停水通知', content: '明日 9 时至 12 时停水' };
  await admin.post('/api/admin/notifications', { broadcast: true, ...announcement, dedupe_key: 'water-1' });
  await bob.get('/api/notifications/unread-count');
  const { list } = await bob.get<{ list: { id: number }[] }>('/api/notifications?type=system');
  await bob.put(`/api/notifications/${list[0]?.id}/read`);
  await bob.put('/api/notifications/all/read');
  await bob.get('/api/notifications?is_read=0');
}
