import { createCall, type Stage } from '../support/calls';
import { createTestApp, type TestApp } from '../support/test-app';

/**
 * API 5.5 over HTTP, one transition of each kind: call-state.rules.spec.ts has all of them. The outcome is the business
 * code, or the returned status of a success, with `+1` if the version increases.
 */
const TABLE: [act: string, who: 'caller' | 'callee', stage: Stage, outcome: string][] = [
  ['accept', 'callee', 'ringing', 'accepted +1'],
  ['accept', 'callee', 'accepted', '41006'],
  ['accept', 'callee', 'ended', '41007'],
  ['reject', 'callee', 'accepted', '41008'],
  ['reject', 'callee', 'rejected', 'rejected'],
  ['hangup', 'caller', 'ringing', '41009'],
];

/** Renewal returns no status: `ok` is a success. */
const TOKEN: [who: 'caller' | 'callee', stage: Stage, outcome: string][] = [
  ['caller', 'ringing', 'ok'],
  ['callee', 'ringing', '41009'],
  ['caller', 'ended', '41007'],
];

const MESSAGES: Record<string, [status: number, message: string]> = {
  41006: [409, '已被其他终端接听'],
  41007: [409, '通话已结束'],
  41008: [409, '通话已接听'],
  41009: [409, '通话未接听'],
};

describe('Transitions of a call', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it.each(TABLE)(
    'POST /api/calls/{callId}/%s by the %s on a call in state %s returns %s',
    async (act, who, stage, outcome) => {
      const fixture = await createCall(test.api, stage);
      const before = await fixture.record();
      const response = await fixture.perform(fixture[who], act, { terminal_id: 'tablet' });
      const after = await fixture.record();
      const [expected = '', rise] = outcome.split(' ');

      if (/^\d+$/.test(expected)) {
        const [status, message] = MESSAGES[expected] ?? [];
        expect(response.body).toEqual({ code: Number(expected), message, data: null });
        expect(response.status).toBe(status);
        expect(after).toEqual(before);
      } else {
        expect(response.body).toMatchObject({
          code: 0,
          message: '操作成功',
          data: { call_id: fixture.id, status: expected },
        });
        expect(response.status).toBe(200);
        expect(after.status).toBe(expected);
        expect(response.body.data.version).toBe(after.version);
        expect(after.version).toBe(before.version + (rise ? 1 : 0));
        if (!rise) expect(after).toEqual(before);
      }
    },
  );

  it.each(TOKEN)(
    'POST /api/calls/{callId}/token by the %s on a call in state %s returns %s',
    async (who, stage, outcome) => {
      const fixture = await createCall(test.api, stage);
      const before = await fixture.record();
      const response = await fixture.perform(fixture[who], 'token');
      if (outcome === 'ok') {
        expect(response.body.data).toEqual({
          call_id: fixture.id,
          channel_name: before.channel_name,
          app_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          uid: expect.stringMatching(/^[1-9]\d{0,9}$/),
          rtc_token: expect.stringMatching(/^007/),
          expire_at: '2026-01-31T09:00:00.000Z',
        });
      } else {
        expect(response.body).toEqual({ code: Number(outcome), message: MESSAGES[outcome]?.[1], data: null });
      }
      expect(await fixture.record()).toEqual(before);
    },
  );

  it.each(['accept', 'reject', 'cancel', 'hangup', 'media-state', 'token'])(
    'returns 404 for %s of an unknown call to every role',
    async (act) => {
      const user = await test.api.as({ id: 1 });
      const response = await user.post(`/api/calls/999999999/${act}`);
      expect(response.body).toEqual({ code: 404, message: '通话不存在', data: null });
      expect(response.status).toBe(404);
    },
  );
});
