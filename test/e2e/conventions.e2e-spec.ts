import { createTestApp, type TestApp } from '../support/test-app';

describe('Conventions', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('answers an unknown path without a token with 401', async () => {
    const answer = await test.api.get('/api/nothing');
    expect(answer.body).toEqual({ code: 401, message: '未授权', data: null });
    expect(answer.status).toBe(401);
  });

  it('answers an unknown path with a token with 404', async () => {
    const answer = await (await test.api.as({ id: 5 })).get('/api/nothing');
    expect(answer.body).toEqual({ code: 404, message: '接口不存在', data: null });
  });

  it('answers health', async () => {
    const answer = await test.api.get('/health/ready');
    expect(answer.body).toEqual({ status: 'ok', checks: { database: 'up' } });
  });
});
