import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { createUser, login } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const TREE = '/api/admin/device-groups/tree';

describe('MESSAGE_LANGUAGE', () => {
  let test: TestApp;
  let admin: ApiClient;
  const start = async (env: NodeJS.ProcessEnv): Promise<void> => {
    test = await createTestApp({ env });
    admin = await testUser(test.api, { id: 900_001, role: 'admin' });
  };
  const stop = () => test?.close();

  /** Node's own response to data that is not HTTP. */
  const answerToNoise = async (): Promise<string> => {
    await test.app.listen(0, '127.0.0.1');
    const socket = connect((test.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    socket.end('noise\r\nAccept-Language: en\r\n\r\n');
    return text(socket);
  };
  /** Creates a missed call of Ben. Returns his client. */
  const missACall = async (): Promise<ApiClient> => {
    const { ann, ben, benId } = await annAndBen();
    const call = await ann.post('/api/calls', { callee_id: benId, media_type: 'video' });
    await ann.post(`/api/calls/${call.body.data.call_id}/cancel`);
    return ben;
  };
  const annAndBen = async () => {
    const [annId = 0, benId = 0] = newUserIds(2);
    const ann = await testUser(test.api, { id: annId, name: 'Ann' });
    const ben = await testUser(test.api, { id: benId, name: 'Ben' });
    return { ann, ben, benId };
  };
  const messageOf = async (client: ApiClient, language: string | undefined, path = '/api/auth/me') =>
    (await client.with(language === undefined ? {} : { 'accept-language': language }).get(path)).body.message;

  describe('en', () => {
    beforeAll(() => start({ MESSAGE_LANGUAGE: 'en' }));
    beforeEach(() => test.clock.set(START));
    afterAll(stop);

    it('returns English messages regardless of Accept-Language, with unchanged codes', async () => {
      const client = admin.with({ 'accept-language': 'zh-CN' });
      expect((await client.get('/api/admin/users/900001')).body).toMatchObject({ code: 0, message: 'Done' });
      expect((await test.api.get('/api/auth/me')).body).toEqual({
        code: 401,
        message: 'Not authenticated',
        data: null,
      });
      expect((await test.api.get('/api/admin/users')).body.message).toBe(
        'Not authenticated, please log in first',
      );
      const user = await testUser(test.api, { id: 1 });
      expect((await user.get('/api/admin/users')).body).toEqual({
        code: 403,
        message: 'Not authorised',
        data: null,
      });
      expect((await admin.get('/api/nothing')).body).toEqual({
        code: 404,
        message: 'No such operation',
        data: null,
      });
      expect((await user.get('/api/calls/5')).body.message).toBe('The call does not exist');
      expect((await user.get('/api/messages/conversations/5')).body.message).toBe(
        'No access to this conversation',
      );
      await createUser(admin, 'taken');
      expect((await login(test.api, 'taken', 'wrong')).body.message).toBe('Wrong account or password');
    });

    it.each([
      ['POST', '/api/admin/device-groups', {}, 'name must not be empty'],
      ['POST', '/api/admin/device-groups', { name: 5 }, 'name must be a string'],
      [
        'POST',
        '/api/admin/device-groups',
        { name: 'x'.repeat(101) },
        'name must not be longer than 100 characters',
      ],
      ['POST', '/api/admin/device-groups', { name: 'x', sort_order: 'x' }, 'sort_order must be an integer'],
      ['POST', '/api/admin/device-groups', { name: 'x', parent_id: 0 }, 'parent_id must not be less than 1'],
      ['POST', '/api/admin/device-groups', { name: 'x', parent_id: 7 }, 'The parent group does not exist'],
      ['POST', '/api/admin/device-groups', { name: 'x', device_ids: {} }, 'device_ids must be an array'],
      ['POST', '/api/admin/device-groups', { name: 'x', device_ids: [7, 9] }, 'Unknown devices: 7, 9'],
      [
        'POST',
        '/api/admin/device-groups',
        { name: 'x', device_ids: Array.from({ length: 501 }, (_, index) => index + 1) },
        'device_ids must not have more than 500 elements',
      ],
      [
        'POST',
        '/api/admin/users',
        { account: 'a', password: 'short' },
        'password must have at least 8 characters',
      ],
      ['POST', '/api/admin/users', { account: '\0' }, 'account is invalid'],
      ['GET', '/api/admin/users?per_page=101', undefined, 'per_page must not be greater than 100'],
      ['GET', '/api/admin/users/x', undefined, 'id must be an integer'],
      [
        'POST',
        '/api/admin/notifications',
        { type: 'x', title: 'x', content: 'x' },
        'user_ids must not be empty',
      ],
      [
        'POST',
        '/api/admin/notifications',
        { user_ids: [7, 9], type: 'x', title: 'x', content: 'x' },
        'Unknown users: 7, 9',
      ],
      ['POST', '/api/admin/users', '[]', 'The request body must be an object'],
      ['POST', '/api/admin/users', '[['.repeat(40), 'The request body is invalid'],
    ] as const)('%s %s %.60j is rejected with: %s', async (method, path, body, message) => {
      const json = admin.with({ 'content-type': 'application/json' });
      expect((await json.send(method, path, body)).body).toEqual({ code: 422, message, data: null });
    });

    it('creates English notifications and default names, and an English response for marks', async () => {
      const ben = await missACall();
      const { list } = (await ben.get('/api/notifications')).body.data;
      expect(list).toMatchObject([
        { type: 'call_missed', title: 'Missed call', content: 'Ann tried to call you (video)' },
      ]);
      expect((await ben.put(`/api/notifications/${list[0].id}/read`)).body.message).toBe('Marked as read');
      const nameless = await test.api.as({ id: 77, name: '' });
      expect((await nameless.get('/api/auth/me')).body.data.name).toBe('User 77');
    });

    it('writes placeholders and days in English, in responses and events', async () => {
      const { ann, ben, benId } = await annAndBen();
      const { id } = (await ann.post('/api/messages/conversations', { type: 'single', peer_id: benId })).body
        .data;
      const path = `/api/messages/conversations/${id}/messages`;
      await ann.post(path, { type: 'file', content: 'https://x.example/a', extra: { name: 'plan.pdf' } });
      const listed = async () => (await ben.get('/api/messages/conversations')).body.data.items[0];
      expect((await listed()).last_message).toBe('[File] plan.pdf');
      const sent = (await ann.post(path, { type: 'image', content: 'https://x.example/b' })).body.data;
      expect([sent.display_content, (await listed()).last_message]).toEqual(['[Image]', '[Image]']);
      await ann.post(`/api/messages/${sent.id}/recall`);
      expect((await listed()).last_message).toBe('Ann recalled a message');
      const [own] = (await ann.get(path)).body.data.items;
      expect(own.display_content).toBe('You recalled a message');
      const events = (await ben.get('/api/events/poll')).body.data.items;
      expect(events.at(-1)).toMatchObject({
        type: 'message.recalled',
        message: { display_content: 'Ann recalled a message' },
        conversation: { last_message: 'Ann recalled a message' },
      });
      test.clock.advance(86_400);
      expect((await listed()).time).toBe('Yesterday');
      test.clock.advance(86_400);
      expect((await listed()).time).toBe('Saturday');
    });

    it('returns English for requests that are not HTTP, and for the tree', async () => {
      expect((await admin.get(TREE)).body).toEqual({ code: 0, message: 'Done', data: [] });
      expect(await answerToNoise()).toContain(
        '{"code":400,"message":"The request is not valid","data":null}',
      );
    });
  });

  describe('auto', () => {
    beforeAll(() => start({ MESSAGE_LANGUAGE: 'auto' }));
    afterAll(stop);

    it.each([
      [undefined, '操作成功', '接口不存在'],
      ['en-GB,en;q=0.9', 'Done', 'No such operation'],
      ['de, en;q=0.5', 'Done', 'No such operation'],
      ['zh-CN,zh;q=0.9,en;q=0.8', '操作成功', '接口不存在'],
      ['de', '操作成功', '接口不存在'],
    ])('returns for Accept-Language %s the language %s and %s', async (language, success, failure) => {
      expect(await messageOf(admin, language)).toBe(success);
      expect(await messageOf(admin, language, '/api/nothing')).toBe(failure);
      expect(await messageOf(test.api, language)).toBe(success === 'Done' ? 'Not authenticated' : '未授权');
      expect(await messageOf(admin, language, '/api/admin/users/x')).toBe(
        success === 'Done' ? 'id must be an integer' : 'id 必须是整数',
      );
    });

    it('sets Vary for caches', async () => {
      for (const path of ['/api/auth/me', '/api/nothing', '/api/admin/users/x'])
        expect((await admin.get(path)).headers.vary).toMatch(/^Accept-Language/);
      expect((await admin.get(TREE)).headers.vary).toBe('Accept-Language, Accept-Encoding');
    });

    it('keeps the tree and the list of groups current in each language', async () => {
      const english = admin.with({ 'accept-language': 'en' });
      for (const name of ['One', 'Two']) {
        const { id } = (await admin.post('/api/admin/device-groups', { name })).body.data;
        for (const [client, message] of [[english, 'Done'] as const, [admin, '操作成功'] as const]) {
          const { body } = await client.get(TREE);
          expect([body.message, body.data.length, body.data.at(-1).name]).toEqual([message, id, name]);
          const list = (await client.get('/api/admin/device-groups')).body;
          expect([list.message, list.data.items.at(-1).name]).toEqual([message, name]);
        }
      }
      const tags = [(await english.get(TREE)).headers.etag, (await admin.get(TREE)).headers.etag];
      expect(new Set(tags).size).toBe(2);
      expect((await english.with({ 'if-none-match': String(tags[0]) }).get(TREE)).status).toBe(304);
      expect((await admin.with({ 'if-none-match': String(tags[0]) }).get(TREE)).status).toBe(200);
    });

    it('stores texts for later readers in Chinese, regardless of the author', async () => {
      const { ann, ben: chineseBen, benId } = await annAndBen();
      const english = { 'accept-language': 'en' };
      const ben = chineseBen.with(english);
      const call = await ann.with(english).post('/api/calls', { callee_id: benId });
      await ann.with(english).post(`/api/calls/${call.body.data.call_id}/cancel`);
      const response = (await ben.get('/api/notifications')).body;
      expect(response.message).toBe('Done');
      expect(response.data.list).toMatchObject([{ title: '未接来电', content: 'Ann 的语音通话' }]);
      expect(await answerToNoise()).toContain('请求无效');
    });
  });

  it('when omitted returns Chinese regardless of Accept-Language, without Vary', async () => {
    await start({});
    const response = await admin.with({ 'accept-language': 'en' }).get('/api/auth/me');
    expect(response.body.message).toBe('操作成功');
    expect(response.headers).not.toHaveProperty('vary', expect.stringContaining('Accept-Language'));
    const ben = await missACall();
    expect((await ben.get('/api/notifications')).body.data.list).toMatchObject([
      { title: '未接来电', content: 'Ann 的视频通话' },
    ]);
    await stop();
  });
});
