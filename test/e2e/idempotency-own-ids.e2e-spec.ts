import type { ApiClient } from '../support/api-client';
import { postWithKey } from '../support/idempotency';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

/** Calls and messages have client-generated ids in the body for the purpose of the header. */
describe('An Idempotency-Key with a client-generated id in the body', () => {
  let test: TestApp;
  let ann: ApiClient;
  let messages: string;
  beforeAll(async () => {
    test = await createTestApp();
    ann = await testUser(test.api, { id: 1 });
    await testUser(test.api, { id: 2 });
    const chat = await ann.post('/api/messages/conversations', { type: 'single', peer_id: 2 });
    messages = `/api/messages/conversations/${chat.body.data.id}/messages`;
  });
  afterAll(() => test?.close());

  const hello = { type: 'text', content: 'hello' };

  it('is the client_msg_id of a message', async () => {
    const { data } = (await postWithKey(ann, 'm-1', messages, hello)).body;
    expect(data.client_msg_id).toBe('m-1');
    expect((await postWithKey(ann, 'm-1', messages, hello)).body.data.id).toBe(data.id);
    expect((await ann.post(messages, { ...hello, client_msg_id: 'm-1' })).body.data.id).toBe(data.id);
    expect((await postWithKey(ann, 'm-1', messages, { ...hello, client_msg_id: 'm-1' })).body.data.id).toBe(
      data.id,
    );
    expect((await postWithKey(ann, 'm-1', messages, { ...hello, client_msg_id: '' })).body.data.id).toBe(
      data.id,
    );
    expect((await postWithKey(ann, 'm-1', messages, { type: 'text', content: 'other' })).body).toEqual({
      code: 409,
      message: '请求标识已被使用',
      data: null,
    });
    expect((await postWithKey(ann, 'm-2', messages, hello)).body.data.id).not.toBe(data.id);
  });

  it('is the request_id of a call', async () => {
    const call = { callee_id: 2 };
    const { data } = (await postWithKey(ann, 'c-1', '/api/calls', call)).body;
    expect((await postWithKey(ann, 'c-1', '/api/calls', call)).body.data.call_id).toBe(data.call_id);
    expect((await ann.post('/api/calls', { ...call, request_id: 'c-1' })).body.data.call_id).toBe(
      data.call_id,
    );
    expect((await postWithKey(ann, 'c-1', '/api/calls', { ...call, media_type: 'video' })).body.code).toBe(
      409,
    );
    expect((await postWithKey(ann, 'c-2', '/api/calls', call)).body.code).toBe(41002);
  });

  it('may not differ from the id', async () => {
    const message = await postWithKey(ann, 'm-9', messages, { ...hello, client_msg_id: 'm-8' });
    expect(message.body).toEqual({ code: 422, message: 'client_msg_id 取值无效', data: null });
    const call = await postWithKey(ann, 'c-9', '/api/calls', { callee_id: 2, request_id: 'C-9' });
    expect(call.body).toEqual({ code: 422, message: 'request_id 取值无效', data: null });
  });

  it('stores no row: these ids are permanent', async () => {
    expect(await test.query('SELECT * FROM creation_keys')).toEqual([]);
  });

  it('is ignored by routes that create nothing', async () => {
    expect(
      (await ann.with({ 'idempotency-key': 'ü' }).post(messages.replace(/messages$/, 'read'))).status,
    ).toBe(200);
    expect((await ann.with({ 'idempotency-key': '' }).get('/api/auth/me')).status).toBe(200);
  });
});
