import { aCall } from '../support/calls';
import { createTestApp } from '../support/test-app';

describe('Media reports', () => {
  it('are kept of the twenty terminals of a user that reported last, whatever names they make up', async () => {
    const test = await createTestApp();
    const scene = await aCall(test.api, 'accepted');
    await scene.act(scene.caller, 'media-state', { terminal_id: 'desk', stage: 'joining' });
    for (let index = 1; index <= 25; index += 1) {
      test.clock.advance(1);
      await scene.act(scene.callee, 'media-state', { terminal_id: `phone-${index}`, stage: 'joining' });
    }
    await scene.act(scene.callee, 'media-state', { terminal_id: 'a', stage: 'joining' });
    const rows = (await test.query(
      `SELECT terminal_id FROM call_media_states WHERE call_id = ${scene.id} ORDER BY user_id, reported_at, terminal_id`,
    )) as { terminal_id: string }[];
    const phones = '7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24'.split(' ').map((n) => `phone-${n}`);
    expect(rows.map(({ terminal_id }) => terminal_id)).toEqual(['desk', ...phones, 'a', 'phone-25']);
    await test.close();
  });

  it('that come together are each kept: the later one of a terminal, with what only the earlier one mentions', async () => {
    const test = await createTestApp();
    const scenes = [await aCall(test.api, 'accepted'), await aCall(test.api, 'accepted')];
    const reports = scenes.flatMap((scene) => [
      () =>
        scene.act(scene.caller, 'media-state', {
          terminal_id: 'desk',
          stage: 'joining',
          network_quality: 'poor',
        }),
      () => scene.act(scene.callee, 'media-state', { terminal_id: 'phone', network_quality: 'good' }),
      () => scene.act(scene.caller, 'media-state', { terminal_id: 'desk', stage: 'paused' }),
      () => scene.act(scene.callee, 'media-state', { terminal_id: 'phone' }),
    ]);
    // The first goes alone, and the others wait for it.
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
