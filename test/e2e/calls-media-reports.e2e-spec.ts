import { createCall } from '../support/calls';
import { createTestApp } from '../support/test-app';

describe('Media reports', () => {
  it('are stored for the twenty terminals of a user that reported last, under any names', async () => {
    const test = await createTestApp();
    const fixture = await createCall(test.api, 'accepted');
    await fixture.perform(fixture.caller, 'media-state', { terminal_id: 'desk', stage: 'joining' });
    for (let index = 1; index <= 25; index += 1) {
      test.clock.advance(1);
      await fixture.perform(fixture.callee, 'media-state', {
        terminal_id: `phone-${index}`,
        stage: 'joining',
      });
    }
    await fixture.perform(fixture.callee, 'media-state', { terminal_id: 'a', stage: 'joining' });
    const rows = (await test.query(
      `SELECT terminal_id FROM call_media_states WHERE call_id = ${fixture.id} ORDER BY user_id, reported_at, terminal_id`,
    )) as { terminal_id: string }[];
    const phones = '7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24'.split(' ').map((n) => `phone-${n}`);
    expect(rows.map(({ terminal_id }) => terminal_id)).toEqual(['desk', ...phones, 'a', 'phone-25']);
    await test.close();
  });

  it('that arrive concurrently are all stored: the later of a terminal keeps fields that only the earlier has', async () => {
    const test = await createTestApp();
    const fixtures = [await createCall(test.api, 'accepted'), await createCall(test.api, 'accepted')];
    const reports = fixtures.flatMap((fixture) => [
      () =>
        fixture.perform(fixture.caller, 'media-state', {
          terminal_id: 'desk',
          stage: 'joining',
          network_quality: 'poor',
        }),
      () => fixture.perform(fixture.callee, 'media-state', { terminal_id: 'phone', network_quality: 'good' }),
      () => fixture.perform(fixture.caller, 'media-state', { terminal_id: 'desk', stage: 'paused' }),
      () => fixture.perform(fixture.callee, 'media-state', { terminal_id: 'phone' }),
    ]);
    // The first report runs alone, and the others wait for it.
    expect((await Promise.all(reports.map((report) => report()))).map(({ body }) => body.code)).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    expect(
      await test.query(
        'SELECT terminal_id, stage, network_quality FROM call_media_states ORDER BY call_id, terminal_id',
      ),
    ).toEqual([
      { terminal_id: 'desk', stage: 'paused', network_quality: 'poor' },
      { terminal_id: 'phone', stage: null, network_quality: 'good' },
      { terminal_id: 'desk', stage: 'paused', network_quality: 'poor' },
      { terminal_id: 'phone', stage: null, network_quality: 'good' },
    ]);
    await test.close();
  });
});
