import { readFileSync } from 'node:fs';
import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { createCall } from '../support/calls';
import { onMysql } from '../support/database';
import { createTestApp } from '../support/test-app';

/** The statements of `deploy/restore`, as an operator runs them. */
function statements(): string[] {
  const file = `deploy/restore/after-restore.${onMysql() ? 'mysql' : 'sqlite'}.sql`;
  const text = readFileSync(file, 'utf8').replaceAll(/^--.*$/gm, '');
  return text
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

it('A restored database sends a resync to every client, and ends earlier calls', async () => {
  const before = await createTestApp();
  const call = await createCall(before.api, 'ongoing');
  const known = (await call.callee.get('/api/events/poll')).body.data.next_after as number;
  expect(known).toBeGreaterThan(1);
  for (const statement of statements()) await before.query(statement);

  const test = await createTestApp({ database: before.database, clock: before.clock });
  test.clock.set(new Date(Date.now() + 60_000).toISOString());
  await test.app.get(CallDeadlines).sweep();
  const callee = await test.api.as({ id: call.calleeId });
  expect((await callee.get('/api/calls/active')).body.data).toBeNull();
  // The same cursor, an older one, and one that the backup has never seen.
  for (const cursor of [known, 1, known + 5, 0]) {
    const { items } = (await callee.get(`/api/events/poll?after=${cursor}`)).body.data;
    expect(items.map(({ type }: { type: string }) => type)).toEqual(['resync']);
    expect(items[0].id).toBeGreaterThan(1_000_000);
  }
  const { items, next_after } = (await callee.get('/api/events/poll')).body.data;
  expect(items.map(({ type }: { type: string }) => type)).toEqual(['call.ended']);
  expect((await callee.get(`/api/events/poll?after=${next_after}`)).body.data.items).toEqual([]);
  // A user without events at the time of the backup.
  const stranger = await test.api.as({ id: 1003 });
  expect((await stranger.get('/api/events/poll?after=3')).body.data.items).toMatchObject([
    { type: 'resync' },
  ]);
  await test.close();
  await before.close();
});
