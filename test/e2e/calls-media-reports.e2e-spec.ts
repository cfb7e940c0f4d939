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
});
