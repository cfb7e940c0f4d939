import { DataSource } from 'typeorm';
import { createOffer, createSignallingCall, createWebrtcApp, DONE, signalsOf } from '../support/signals';
import type { TestApp } from '../support/test-app';

describe('The migration of call signals', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createWebrtcApp();
  });
  afterAll(() => test?.close());

  const done = async (): Promise<number> =>
    (await test.query("SELECT name FROM migrations WHERE name = 'CreateCallSignals1763800030000'")).length;

  it('keeps earlier calls, and accepts signals from any terminal of their callers', async () => {
    const fixture = await createSignallingCall(test.api);
    const before = await fixture.record();
    const dataSource = test.app.get(DataSource);
    while ((await done()) > 0) await dataSource.undoLastMigration();
    await expect(test.query('SELECT caller_terminal_id FROM calls')).rejects.toThrow('caller_terminal_id');
    await dataSource.runMigrations();

    expect(await fixture.record()).toEqual(before);
    expect(await test.query('SELECT caller_terminal_id FROM calls')).toEqual([{ caller_terminal_id: null }]);
    expect((await fixture.signal('caller', createOffer({ terminal_id: 'whichever' }))).body).toEqual(DONE);
    expect(await signalsOf(fixture.callee)).toMatchObject([
      { terminal_id: 'phone', session_id: 'session-1' },
    ]);
  });
});
