import { MediaWebhooksService } from '../../src/calls/media/media-webhooks.service';
import type { ApiResponse } from '../support/api-client';
import { AGORA_SECRET, agoraBody, postAgora, postLivekit } from '../support/media-webhooks';
import { createAgoraCall, JOIN, LEAVE, OK, UNAUTHORIZED } from '../support/media-calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Media webhooks', () => {
  let test: TestApp;

  describe('of Agora', () => {
    beforeAll(async () => {
      test = await createTestApp({ env: { AGORA_WEBHOOK_SECRET: AGORA_SECRET } });
    });
    afterAll(() => test?.close());
    beforeEach(() => test.clock.set(START));

    describe('the signature', () => {
      // The example in the documentation of the provider, with recomputed signatures.
      const body =
        '{"eventMs":1560408533119,"eventType":10,"noticeId":"4eb720f0-8da7-11e9-a43e-53f411c2761f","notifyMs":1560408533119,"payload":{"a":"1","b":2},"productId":1}';
      const sha1 = '033c62f40f687675f17f0f41f91a40c71c0f134c';
      const sha256 = '6d3320c60b11101395b7fc8f9068748808a0aa1bfa064438e39d1bc2c7d74d99';

      it.each<[string, Record<string, string>, ApiResponse['body']]>([
        ['SHA-256', { 'agora-signature-v2': sha256 }, OK],
        ['SHA-1 alone', { 'agora-signature': sha1 }, OK],
        ['both', { 'agora-signature': sha1, 'agora-signature-v2': sha256 }, OK],
        ['both in capitals', { 'agora-signature': sha1, 'agora-signature-v2': sha256.toUpperCase() }, OK],
        [
          'a bad SHA-256 beside a good SHA-1',
          { 'agora-signature': sha1, 'agora-signature-v2': sha1 },
          UNAUTHORIZED,
        ],
        [
          'an empty SHA-256 beside a good SHA-1',
          { 'agora-signature': sha1, 'agora-signature-v2': '' },
          UNAUTHORIZED,
        ],
        ['SHA-256 in the header of SHA-1', { 'agora-signature': sha256 }, UNAUTHORIZED],
        ['a shortened one', { 'agora-signature-v2': sha256.slice(0, 62) }, UNAUTHORIZED],
        ['one that is not hexadecimal', { 'agora-signature-v2': 'x'.repeat(64) }, UNAUTHORIZED],
        ['none', {}, UNAUTHORIZED],
      ])('%s', async (_, headers, expected) => {
        const response = await postAgora(test.api, body, headers);
        expect([response.status, response.body]).toEqual([expected.code || 200, expected]);
      });

      it('covers every byte of the body', async () => {
        expect((await postAgora(test.api, `${body} `, { 'agora-signature-v2': sha256 })).body).toEqual(
          UNAUTHORIZED,
        );
      });

      it('is checked before the body, which may be invalid JSON', async () => {
        expect((await postAgora(test.api, '{', {})).body).toEqual(UNAUTHORIZED);
        expect((await postAgora(test.api, '{')).body).toEqual({
          code: 400,
          message: '请求体不是有效的 JSON',
          data: null,
        });
      });
    });

    it.each([
      '[]',
      'null',
      '7',
      '{}',
      '{"noticeId":"n","productId":1,"eventType":103,"payload":null}',
      '{"noticeId":"n","productId":1,"eventType":{"toString":0}}',
      '{"noticeId":"n","productId":1,"eventType":104,"payload":{"channelName":"c","uid":1,"reason":{"valueOf":0}}}',
      '{"noticeId":"n","productId":1,"eventType":103,"payload":{"channelName":"c","uid":{"toString":0}}}',
      '{"noticeId":"n","productId":1,"eventType":103,"payload":{"channelName":"c","uid":1,"clientSeq":{"toString":0}}}',
    ])('ignore a signed body of another shape: %s', async (body) => {
      expect((await postAgora(test.api, body)).body).toEqual(OK);
    });

    it('ignore unknown channels, unknown uids and other products', async () => {
      const { scene: fixture, tell, channel, callee } = await createAgoraCall(test, 'accepted');
      await tell(LEAVE, { channelName: 'call-nowhere', uid: callee, reason: 1, clientSeq: 1 });
      await tell(LEAVE, { uid: callee === 7 ? 8 : 7, reason: 1, clientSeq: 1 });
      const other = agoraBody({ eventType: LEAVE, channelName: channel, uid: callee, reason: 1 });
      await postAgora(test.api, other.replace('"productId":1', '"productId":3'));
      expect(await fixture.record()).toMatchObject({ status: 'accepted', version: 2 });
    });

    it('are deduplicated for a day', async () => {
      const { tell, callee } = await createAgoraCall(test, 'accepted');
      await tell(JOIN, { uid: callee, clientSeq: 1, noticeId: 'old' });
      const kept = () => test.query("SELECT id FROM media_notices WHERE id = 'agora:old'");
      test.clock.advance(86_399);
      await test.app.get(MediaWebhooksService).forget();
      expect(await kept()).toEqual([{ id: 'agora:old' }]);
      test.clock.advance(2);
      await test.app.get(MediaWebhooksService).forget();
      expect(await kept()).toEqual([]);
    });
  });

  describe('of Agora without a secret', () => {
    beforeAll(async () => {
      test = await createTestApp();
    });
    afterAll(() => test?.close());

    it('reject every notice', async () => {
      expect((await postAgora(test.api, '{}')).body).toEqual(UNAUTHORIZED);
    });

    it('return 404 on LiveKit’s path', async () => {
      expect((await postLivekit(await test.api.as({ id: 1 }), '{}')).status).toBe(401);
      const user = await test.api.as({ id: 1 });
      expect((await user.post('/api/media/webhooks/livekit', {})).body.message).toBe('接口不存在');
    });
  });
});
