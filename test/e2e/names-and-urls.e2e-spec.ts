import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

type Method = 'POST' | 'PUT';

describe('Names and URLs from clients', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 900_001, role: 'admin' });
  });
  afterAll(() => test?.close());

  const rejection = async (method: Method, path: string, body: object): Promise<unknown> => {
    const { status, body: envelope } = await admin.send(method, path, JSON.stringify(body));
    return [status, envelope.message];
  };

  it.each<[Method, string, object]>([
    ['PUT', '/api/auth/me', {}],
    ['POST', '/api/admin/users', { account: 'ann', password: 'correct horse' }],
    ['POST', '/api/admin/device-groups', {}],
    ['POST', '/api/admin/devices', {}],
    ['POST', '/api/admin/keys', { scopes: ['users:read'] }],
    ['POST', '/api/messages/conversations', { type: 'group', member_ids: [1] }],
  ])(
    '%s %s returns 422 for a name with a line break, a bidi control or no visible character',
    async (method, path, body) => {
      for (const name of ['two\nlines', 'invoice\u202Egnp.exe', '\u0007bell'])
        expect(await rejection(method, path, { ...body, name })).toEqual([422, 'name 取值无效']);
      for (const name of ['\u200B\u3164', '\n'])
        expect(await rejection(method, path, { ...body, name })).toEqual([422, 'name 字段不能为空']);
    },
  );

  it('returns 422 for the URL of a picture or a webhook with control characters', async () => {
    const avatar = 'https://pictures.example/\tann.png';
    expect(await rejection('PUT', '/api/auth/me', { avatar })).toEqual([422, 'avatar 取值无效']);
    const webhook = { url: 'https://hooks.example/\n', event_types: ['*'] };
    expect(await rejection('POST', '/api/admin/webhooks', webhook)).toEqual([422, 'url 取值无效']);
  });

  it('keep the visible part of a name in a token', async () => {
    const user = await test.api.as({ id: 77, name: 'An\u202Ene\n' });
    expect((await user.get('/api/auth/me')).body.data.name).toBe('Anne');
    const unnamed = await test.api.as({ id: 78, name: '\u200B' });
    expect((await unnamed.get('/api/auth/me')).body.data.name).toBe('用户78');
  });
});
