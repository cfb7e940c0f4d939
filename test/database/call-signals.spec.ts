import { DataSource } from 'typeorm';
import { anOffer, aSignallingCall, createWebrtcApp, DONE, signalsOf } from '../support/signals';
import type { TestApp } from '../support/test-app';

describe('The migration that brings signals', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createWebrtcApp();
  });
  afterAll(() => test?.close());

  const done = async (): Promise<number> =>
    (await test.query("SELECT name FROM migrations WHERE name = 'CreateCallSignals1763800030000'")).length;

  it('leaves calls of before as they are, and lets any terminal of their callers signal', async () => {
    const scene = await aSignallingCall(test.api);
    const before = await scene.record();
    const dataSource = test.app.get(DataSource);
    while ((await done()) > 0) await dataSource.undoLastMigration();
    await expect(test.query('SELECT caller_terminal_id FROM calls')).rejects.toThrow('caller_terminal_id');
    await dataSource.runMigrations();

    expect(await scene.record()).toEqual(before);
    expect(await test.query('SELECT caller_terminal_id FROM calls')).toEqual([{ caller_terminal_id: null }]);
    expect((await scene.signal('caller', anOffer({ terminal_id: 'whichever' }))).body).toEqual(DONE);
    expect(await signalsOf(scene.callee)).toMatchObject([{ terminal_id: 'phone', session_id: 'session-1' }]);
  });
});
