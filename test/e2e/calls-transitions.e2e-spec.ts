import { createCall, type Stage } from '../support/calls';
import { createTestApp, type TestApp } from '../support/test-app';

const STAGES: Stage[] = ['ringing', 'accepted', 'ongoing', 'rejected', 'cancelled', 'ended'];

/**
 * API 5.5 over HTTP. A cell is the business code, and for a success the status it answers with; `+1` says that the
 * version rises.
 */
const TABLE: [act: string, who: 'caller' | 'callee', cells: string[]][] = [
  ['accept', 'callee', ['accepted +1', '41006', '41006', '41007', '41007', '41007']],
  ['reject', 'callee', ['rejected +1', '41008', '41008', 'rejected', '41007', '41007']],
  ['cancel', 'caller', ['cancelled +1', '41008', '41008', '41007', 'cancelled', '41007']],
  ['hangup', 'caller', ['41009', 'ended +1', 'ended +1', '41007', '41007', 'ended']],
  ['hangup', 'callee', ['41009', 'ended +1', 'ended +1', '41007', '41007', 'ended']],
  ['media-state', 'caller', ['ringing', 'accepted', 'ongoing', 'rejected', 'cancelled', 'ended']],
  ['media-state', 'callee', ['ringing', 'accepted', 'ongoing', 'rejected', 'cancelled', 'ended']],
];

/** Renewal returns no status: `ok` is a success. */
const TOKEN: ['caller' | 'callee', string[]][] = [
  ['caller', ['ok', 'ok', 'ok', '41007', '41007', '41007']],
  ['callee', ['41009', 'ok', 'ok', '41007', '41007', '41007']],
];

/** Permissions by role; other roles receive the same error in every state. */
const RIGHTS: [act: string, who: 'caller' | 'callee' | 'stranger', code: number, message: string][] = [
  ['accept', 'caller', 41004, '非被叫方'],
  ['accept', 'stranger', 41004, '非被叫方'],
  ['reject', 'caller', 41004, '非被叫方'],
  ['reject', 'stranger', 41004, '非被叫方'],
  ['cancel', 'callee', 41005, '非主叫方'],
  ['cancel', 'stranger', 41005, '非主叫方'],
  ['hangup', 'stranger', 41010, '非参与方'],
  ['media-state', 'stranger', 41010, '非参与方'],
  ['token', 'stranger', 41010, '非参与方'],
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

  describe.each(TABLE)('POST /api/calls/{callId}/%s by the %s', (act, who, cells) => {
    it.each(STAGES.map((stage, column) => [stage, cells[column] ?? '']))(
      'on a call in state %s returns %s',
      async (stage, cell) => {
        const fixture = await createCall(test.api, stage);
        const before = await fixture.record();
        const response = await fixture.perform(fixture[who], act, { terminal_id: 'tablet' });
        const after = await fixture.record();
        const [expected = '', rise] = cell.split(' ');

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
  });

  describe.each(TOKEN)('POST /api/calls/{callId}/token by the %s', (who, cells) => {
    it.each(STAGES.map((stage, column) => [stage, cells[column] ?? '']))(
      'on a call in state %s returns %s',
      async (stage, cell) => {
        const fixture = await createCall(test.api, stage);
        const before = await fixture.record();
        const response = await fixture.perform(fixture[who], 'token');
        if (cell === 'ok') {
          expect(response.body.data).toEqual({
            call_id: fixture.id,
            channel_name: before.channel_name,
            app_id: expect.stringMatching(/^[0-9a-f]{32}$/),
            uid: expect.stringMatching(/^[1-9]\d{0,9}$/),
            rtc_token: expect.stringMatching(/^007/),
            expire_at: '2026-01-31T09:00:00.000Z',
          });
        } else {
          expect(response.body).toEqual({ code: Number(cell), message: MESSAGES[cell]?.[1], data: null });
        }
        expect(await fixture.record()).toEqual(before);
      },
    );
  });

  describe.each(STAGES)('rights in a call that is %s', (stage) => {
    it.each(RIGHTS)('rejects %s by the %s with %i', async (act, who, code, message) => {
      const fixture = await createCall(test.api, stage);
      const before = await fixture.record();
      const response = await fixture.perform(fixture[who], act);
      expect(response.body).toEqual({ code, message, data: null });
      expect(response.status).toBe(403);
      expect(await fixture.record()).toEqual(before);
    });
  });

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
