import { createUser, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

const TERMINAL = /^s:[0-9a-f]{16}$/;

describe('The terminals of sessions', () => {
  let test: TestApp;
  let callerId = 0;
  let calleeId = 0;
  let caller: ApiClient;
  let round = 0;
  beforeAll(async () => {
    test = await createTestApp({ env: { MEDIA_PROVIDER: 'webrtc' } });
  });
  beforeEach(async () => {
    round += 1;
    const admin = await test.api.as({ id: 900_001, role: 'admin' });
    callerId = await createUser(admin, `caller${round}`);
    calleeId = await createUser(admin, `callee${round}`);
    caller = await test.api.as({ id: callerId });
  });
  afterAll(() => test?.close());

  /** Logs the callee in on a phone. Returns its client and the terminal of the session. */
  const phone = async (): Promise<{ api: ApiClient; terminal: string }> => {
    const tokens = await signIn(test.api, `callee${round}`);
    return { api: test.api.withToken(tokens.access_token), terminal: tokens.terminal_id };
  };
  const ring = async (): Promise<number> =>
    (await caller.post('/api/calls', { callee_id: calleeId })).body.data.call_id;
  const act = async (api: ApiClient, id: number, name: string, body?: object) =>
    (await api.post(`/api/calls/${id}/${name}`, body)).body;

  it('are returned at log-in, at each refresh, and in the profile', async () => {
    const tokens = await signIn(test.api, `callee${round}`);
    expect(tokens.terminal_id).toMatch(TERMINAL);
    const refresh = { refresh_token: tokens.refresh_token };
    const next = (await test.api.post('/api/auth/refresh', refresh)).body.data;
    expect(next.terminal_id).toBe(tokens.terminal_id);
    const api = test.api.withToken(next.access_token);
    expect((await api.get('/api/auth/me')).body.data.terminal_id).toBe(tokens.terminal_id);
    expect((await caller.get('/api/auth/me')).body.data.terminal_id).toBeNull();
  });

  it('differ for two phones without names: one answers, the other receives the event', async () => {
    const [one, two] = [await phone(), await phone()];
    expect(one.terminal).not.toBe(two.terminal);
    const id = await ring();
    expect((await act(one.api, id, 'accept')).code).toBe(0);
    expect((await act(one.api, id, 'accept')).code).toBe(0);
    expect((await act(one.api, id, 'accept', { terminal_id: one.terminal })).code).toBe(0);
    expect((await act(two.api, id, 'accept')).code).toBe(41006);
    const { items } = (await two.api.get('/api/events/poll?limit=500')).body.data;
    expect(items.at(-1)).toMatchObject({ type: 'call.answered_elsewhere', terminal_id: one.terminal });
    await act(caller, id, 'hangup');
  });

  it('can send signals in the call that they answered, without naming themselves', async () => {
    const [one, two] = [await phone(), await phone()];
    const id = await ring();
    await act(one.api, id, 'accept');
    expect((await act(one.api, id, 'signals', { signal_id: 'a' })).code).toBe(0);
    expect((await act(two.api, id, 'signals', { signal_id: 'b' })).code).toBe(41006);
    expect(await act(two.api, id, 'signals', { signal_id: 'c', terminal_id: one.terminal })).toMatchObject({
      code: 422,
      message: 'terminal_id 取值无效',
    });
    const offer = { signal_id: 'd', session_id: 's', candidates: [{ candidate: '' }] };
    expect((await act(caller, id, 'signals', offer)).code).toBe(0);
    const { items } = (await one.api.get('/api/events/poll?limit=500')).body.data;
    expect(items.at(-1)).toMatchObject({ type: 'call.signal', terminal_id: one.terminal });
    await act(caller, id, 'hangup');
  });

  it('are shown in their reports', async () => {
    const { api, terminal } = await phone();
    const id = await ring();
    await act(api, id, 'accept');
    await act(api, id, 'media-state', { stage: 'joined' });
    const admin = await test.api.as({ id: 900_001, role: 'admin' });
    const { terminals } = (await admin.get(`/api/admin/calls/${id}`)).body.data;
    expect(terminals).toMatchObject([{ user_id: calleeId, terminal_id: terminal, stage: 'joined' }]);
    await act(caller, id, 'hangup');
  });

  it.each(['accept', 'reject', 'cancel', 'hangup', 'media-state', 'token'])(
    'cannot be used by another session, in %s',
    async (name) => {
      const [one, two] = [await phone(), await phone()];
      const id = await ring();
      const rejection = { code: 422, message: 'terminal_id 取值无效', data: null };
      for (const api of [two.api, caller])
        expect(await act(api, id, name, { terminal_id: one.terminal })).toEqual(rejection);
      await act(caller, id, 'cancel');
    },
  );

  it('cannot be used by another session, in placing a call', async () => {
    const { terminal } = await phone();
    const response = await caller.post('/api/calls', { callee_id: calleeId, terminal_id: terminal });
    expect(response.body).toEqual({ code: 422, message: 'terminal_id 取值无效', data: null });
    expect((await caller.get('/api/calls/active')).body.data).toBeNull();
  });

  it('do not change chosen names, or the unnamed terminal of tokens without a session', async () => {
    const { api } = await phone();
    const sessionless = await test.api.as({ id: calleeId });
    const id = await ring();
    expect((await act(api, id, 'accept', { terminal_id: 'kitchen' })).code).toBe(0);
    expect((await act(api, id, 'accept')).code).toBe(41006);
    expect((await act(sessionless, id, 'accept')).code).toBe(41006);
    expect((await act(sessionless, id, 'accept', { terminal_id: 'kitchen' })).code).toBe(0);
    await act(caller, id, 'hangup');
  });

  it('are the ids of both in the media channel', async () => {
    const { api } = await phone();
    const placed = (await caller.post('/api/calls', { callee_id: calleeId })).body.data;
    const seen = (await api.get(`/api/calls/${placed.call_id}`)).body.data;
    expect(seen).toMatchObject({
      caller_uid: placed.caller_uid,
      callee_uid: expect.stringMatching(/^[1-9]\d{0,9}$/),
    });
    const { items } = (await api.get('/api/events/poll?limit=500')).body.data;
    expect(items.at(-1)).toMatchObject({ type: 'call.ringing', call: { caller_uid: placed.caller_uid } });
    await act(caller, placed.call_id, 'cancel');
  });
});
