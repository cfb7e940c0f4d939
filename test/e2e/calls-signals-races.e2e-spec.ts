import { setImmediate } from 'node:timers/promises';
import type { ApiResponse } from '../support/api-client';
import { raceRounds } from '../support/property-runs';
import { createOffer, createSignallingCall, createWebrtcApp } from '../support/signals';
import type { TestApp } from '../support/test-app';

const ROUNDS = raceRounds(200);

describe('Signals during the end of their call', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createWebrtcApp();
  });
  afterAll(() => test?.close());

  it('leave no rows', async () => {
    const codes = new Map<number, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const fixture = await createSignallingCall(test.api);
      // In each round the call ends at another point during the signals.
      const delayed = async (turns: number, act: () => Promise<ApiResponse>): Promise<ApiResponse> => {
        for (let turn = 0; turn < turns; turn += 1) await setImmediate();
        return act();
      };
      const late = (round % 20) * 2;
      const [end, ...responses] = await Promise.all([
        fixture.perform(fixture.callee, 'hangup', { terminal_id: 'phone' }),
        delayed(late, () => fixture.signal('caller', createOffer())),
        delayed(late + 1, () => fixture.signal('caller', createOffer())),
        delayed(late + 2, () => fixture.signal('callee', { signal_id: 'x' })),
      ]);
      expect(end?.body).toMatchObject({ code: 0, data: { status: 'ended' } });
      for (const { body } of responses) codes.set(body.code, (codes.get(body.code) ?? 0) + 1);
      expect(await test.query(`SELECT id FROM call_signals WHERE call_id = ${fixture.id}`)).toEqual([]);
    }
    expect([...codes.keys()].toSorted((a, b) => a - b)).toEqual([0, 41007]);
  });
});
