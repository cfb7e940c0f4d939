import { DataSource } from 'typeorm';
import { createTestApp } from '../support/test-app';

describe('An inbox with more missed broadcasts than a statement has parameters', () => {
  it('materialises all of them, with each key once', async () => {
    const test = await createTestApp();
    const user = await test.api.as({ id: 7 });
    await user.get('/api/notifications');
    const broadcasts = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 33000)
      SELECT i, 'news', 'T', 'C', 'key-' || (i % 32900), 1, '2026-01-31 08:00:01.000' FROM n`;
    await test.app
      .get(DataSource)
      .query(
        `INSERT INTO announcements (broadcast_seq, type, title, content, dedupe_key, recipients, created_at) ${broadcasts}`,
      );
    expect((await user.get('/api/notifications?per_page=1')).body).toMatchObject({
      code: 0,
      data: { total: 32_900, list: [{ type: 'news' }] },
    });
    expect((await user.get('/api/notifications/unread-count')).body.data.count).toBe(32_900);
    await test.close();
  });
});
