import { setImmediate } from 'node:timers/promises';
import type { Answer } from '../support/api-client';
import { raceRounds } from '../support/property-runs';
import { anOffer, aSignallingCall, createWebrtcApp } from '../support/signals';
import type { TestApp } from '../support/test-app';

const ROUNDS = raceRounds(200);

describe('Signals against the end of their call', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createWebrtcApp();
  });
  afterAll(() => test?.close());

  it('leave nothing behind', async () => {
    const codes = new Map<number, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const scene = await aSignallingCall(test.api);
      // In each round the end begins at another point of what the signals do.
      const delayed = async (turns: number, act: () => Promise<Answer>): Promise<Answer> => {
        for (let turn = 0; turn < turns; turn += 1) await setImmediate();
        return act();
      };
      const late = (round % 20) * 2;
      const [end, ...answers] = await Promise.all([
        scene.act(scene.callee, 'hangup', { terminal_id: 'phone' }),
        delayed(late, () => scene.signal('caller', anOffer())),
        delayed(late + 1, () => scene.signal('caller', anOffer())),
        delayed(late + 2, () => scene.signal('callee', { signal_id: 'x' })),
      ]);
      expect(end?.body).toMatchObject({ code: 0, data: { status: 'ended' } });
      for (const { body } of answers) codes.set(body.code, (codes.get(body.code) ?? 0) + 1);
      expect(await test.query(`SELECT id FROM call_signals WHERE call_id = ${scene.id}`)).toEqual([]);
    }
    expect([...codes.keys()].toSorted((a, b) => a - b)).toEqual([0, 41007]);
  });
});
