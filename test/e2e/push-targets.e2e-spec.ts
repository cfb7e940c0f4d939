import type { ApiClient } from '../support/api-client';
import { dataOf, errorOf } from '../support/messaging';
import { holdPushes, pushAll, register, TARGETS } from '../support/push';
import { PushProviders, verifiedApnsToken } from '../support/push-providers';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

describe('Push targets', () => {
  let test: TestApp;
  let providers: PushProviders;
  let user: ApiClient;
  let other: ApiClient;
  let admin: ApiClient;
  beforeAll(async () => {
    providers = await PushProviders.open();
    test = await createTestApp({ env: providers.env });
    await holdPushes(test);
    admin = await test.api.as({ id: 1, role: 'admin' });
    [user, other] = [await testUser(test.api, { id: 5 }), await testUser(test.api, { id: 6 })];
  });
  beforeEach(async () => {
    providers.clear();
    await test.query('DELETE FROM push_targets');
  });
  afterAll(async () => {
    await test?.close();
    await providers?.close();
  });

  const targetsOf = async (api: ApiClient) =>
    dataOf(await api.get(TARGETS)).items as Record<string, unknown>[];

  it('describes the configured kinds and the key of Web Push', async () => {
    expect(dataOf(await user.get('/api/push/config'))).toEqual({
      kinds: ['apns', 'apns_voip', 'fcm', 'webpush', 'gateway'],
      vapid_public_key: expect.stringMatching(/^B[\w-]{86}$/),
      content: 'names',
    });
  });

  it('lets an administrator delete a target of any user', async () => {
    const { id } = await register(user, { kind: 'fcm', token: 'secret-token' });
    expect(dataOf(await admin.delete(`/api/admin/push/targets/${id}`))).toBeNull();
    expect(await targetsOf(user)).toEqual([]);
  });

  it('registers a terminal once per kind, and never returns its token', async () => {
    const first = await register(user, { kind: 'fcm', token: 'secret-token' });
    expect(first).toEqual({
      id: expect.any(Number),
      kind: 'fcm',
      terminal_id: 'phone',
      app: null,
      provider: null,
      state: 'active',
      reason: null,
      received: 0,
      received_at: null,
      created_at: START,
      seen_at: START,
    });
    const again = await register(user, { kind: 'fcm', token: 'another-token' });
    expect(again.id).toBe(first.id);
    expect(await targetsOf(user)).toEqual([again]);
    expect(dataOf(await admin.get('/api/admin/users/5/push-targets')).items).toEqual([again]);
    expect(errorOf(await admin.get('/api/admin/users/999/push-targets'))).toEqual([404, '用户不存在']);
  });

  it('moves a token to the user that registers it last', async () => {
    await register(user, { kind: 'fcm', token: 'shared' });
    const moved = await register(other, { kind: 'fcm', token: 'shared' });
    expect(await targetsOf(user)).toEqual([]);
    expect(await targetsOf(other)).toEqual([moved]);
  });

  it('gives a token to exactly one of two users that register it at the same time', async () => {
    for (let race = 0; race < 20; race += 1) {
      const body = { kind: 'fcm', token: `race-${race}`, terminal_id: `phone-${race % 10}` };
      await Promise.all([register(user, body), register(other, body)]);
      const rows = await test.query(`SELECT user_id FROM push_targets WHERE token = 'race-${race}'`);
      expect(rows).toHaveLength(1);
    }
  });

  it('keeps the twenty targets that were seen last', async () => {
    for (let index = 0; index < 21; index += 1) {
      test.clock.advance(1);
      await register(user, { kind: 'fcm', token: `t${index}`, terminal_id: `terminal-${index}` });
    }
    const terminals = (await targetsOf(user)).map(({ terminal_id }) => terminal_id);
    expect(terminals).toHaveLength(20);
    expect(terminals).not.toContain('terminal-0');
  });

  it.each([
    [{ kind: 'pigeon', token: 't' }, 'kind 取值无效'],
    [{ kind: 'fcm' }, 'token 字段不能为空'],
    [{ kind: 'gateway', token: 't' }, 'provider 字段不能为空'],
    [{ kind: 'gateway', token: 't', provider: 'Huawei!' }, 'provider 取值无效'],
    [{ kind: 'apns', token: 't', app: 'com.example.unknown' }, 'app 取值无效'],
    [{ kind: 'webpush', p256dh: 'AA', auth: 'AA' }, 'endpoint 字段不能为空'],
    [{ kind: 'fcm', token: 't'.repeat(1001) }, 'token 长度不能超过 1000 个字符'],
  ])('rejects %j with 422', async (body, message) => {
    expect(errorOf(await user.post(TARGETS, { terminal_id: 'phone', ...body }))).toEqual([422, message]);
  });

  it.each([
    [{ endpoint: 'https://10.0.0.1/push' }, 'endpoint 取值无效'],
    [{ endpoint: 'https://user:secret@push.example/' }, 'endpoint 取值无效'],
    [{ p256dh: `BA${'A'.repeat(85)}` }, 'p256dh 取值无效'],
    [{ auth: 'AAAA' }, 'auth 取值无效'],
  ])('rejects a subscription with %j', async (wrong, message) => {
    const body = { kind: 'webpush', terminal_id: 'browser', ...providers.subscribe('wrong'), ...wrong };
    expect(errorOf(await user.post(TARGETS, body))).toEqual([422, message]);
  });

  it('sends no test push by VoIP, which would end the app', async () => {
    const { id } = await register(user, { kind: 'apns_voip', token: 'a2' });
    expect(dataOf(await user.post(`${TARGETS}/${id}/test`))).toEqual({
      accepted: false,
      reason: 'calls_only',
    });
    expect(providers.apns).toEqual([]);
  });

  it('sends a test push by every other kind', async () => {
    const tokens = { apns: 'a1', fcm: 'f1' };
    const targets = [
      ...(await Promise.all(
        Object.entries(tokens).map(([kind, token]) => register(user, { kind, token, terminal_id: kind })),
      )),
      await register(user, { kind: 'gateway', token: 'g1', provider: 'huawei', terminal_id: 'gateway' }),
      await register(user, { kind: 'webpush', terminal_id: 'browser', ...providers.subscribe('one') }),
    ];
    for (const { id } of targets)
      expect(dataOf(await user.post(`${TARGETS}/${id}/test`))).toEqual({ accepted: true, reason: null });
    expect(
      providers.apns.map(({ path, headers }) => [path, headers['apns-topic'], headers['apns-push-type']]),
    ).toEqual([['/3/device/a1', 'com.example.app', 'alert']]);
    expect(await verifiedApnsToken(providers.apns[0] as never)).toMatchObject({
      iss: 'TEAM123456',
      kid: 'KEYID12345',
    });
    expect(providers.fcm[0]?.body).toMatchObject({
      message: {
        token: 'f1',
        android: { priority: 'HIGH', ttl: '60s' },
        data: { type: 'test', title: '测试推送' },
      },
    });
    expect(providers.webPush[0]?.body).toMatchObject({
      web_push: 8030,
      notification: { title: '测试推送', body: '推送可以到达此设备' },
    });
    expect(providers.gateway[0]?.body).toMatchObject({
      target: { provider: 'huawei', token: 'g1' },
      title: '测试推送',
    });
    expect(providers.tokensIssued).toBe(1);
  });

  it('limits test pushes to five a minute per target, and returns why one was not accepted', async () => {
    const { id } = await register(user, { kind: 'apns', token: 'a1' });
    providers.replies.apns = () => ({ status: 400, body: { reason: 'BadDeviceToken' } });
    for (let index = 0; index < 5; index += 1)
      expect(dataOf(await user.post(`${TARGETS}/${id}/test`))).toEqual({
        accepted: false,
        reason: 'BadDeviceToken',
      });
    providers.replies.apns = () => ({ status: 200 });
    expect(errorOf(await user.post(`${TARGETS}/${id}/test`))).toEqual([429, '请求过于频繁']);
    expect(await targetsOf(user)).toMatchObject([{ id, state: 'active' }]);
    expect(errorOf(await other.post(`${TARGETS}/${id}/test`))).toEqual([404, '推送终端不存在']);
    expect(errorOf(await other.delete(`${TARGETS}/${id}`))).toEqual([404, '推送终端不存在']);
    expect((await user.delete(`${TARGETS}/${id}`)).status).toBe(200);
    expect(await targetsOf(user)).toEqual([]);
  });

  it('reports an empty queue to administrators', async () => {
    await register(user, { kind: 'fcm', token: 'f1' });
    await pushAll(test);
    expect(dataOf(await admin.get('/api/admin/push'))).toEqual({
      due: 0,
      oldest_seconds: 0,
      fanouts: 0,
      kinds: ['apns', 'apns_voip', 'fcm', 'webpush', 'gateway'].map((kind) => ({
        kind,
        configured: true,
        active: kind === 'fcm' ? 1 : 0,
        rejected: 0,
        received: 0,
      })),
    });
  });
});
