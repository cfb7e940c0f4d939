import { readFileSync } from 'node:fs';
import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { createCall } from '../support/calls';
import { onMysql } from '../support/database';
import { createAttachmentsApp, download, upload } from '../support/attachments';
import { createTestApp } from '../support/test-app';

/** Returns the statements of `deploy/restore` that an operator runs. */
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
  // The same cursor, older ones, and one after the backup.
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

it.each([0, 3])(
  'A restored database with %i files gives new ones no id that a URL may refer to',
  async (count) => {
    const test = await createAttachmentsApp();
    const ann = await test.api.as({ id: 1 });
    for (let index = 0; index < count; index += 1) await upload(ann, 'file', 'before');
    const { id, url } = (await upload(ann, 'file', 'after the backup')).body.data;
    await test.query(`DELETE FROM attachments WHERE id = ${id}`);
    for (const statement of statements()) await test.query(statement);
    const next = (await upload(await test.api.as({ id: 2 }), 'file', 'of another user')).body.data;
    expect(next.id).toBeGreaterThan(1_000_000);
    expect(await download(test, url)).toMatchObject({ status: 404 });
    expect(await test.query('SELECT COUNT(*) AS files FROM attachments')).toEqual([{ files: count + 1 }]);
    await test.close();
  },
);
