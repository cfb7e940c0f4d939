import { version } from '../../package.json';
import { createTestApp, type TestApp } from '../support/test-app';

describe('The first page', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('names the version and leads to the interface, without a token', async () => {
    const { statusCode, headers, body } = await test.app.inject('/');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain(`Version ${version}`);
    for (const path of ['docs', 'docs-json', 'health/ready']) {
      expect(body).toContain(`href="${path}"`);
      expect((await test.app.inject(`/${path}`)).statusCode).toBe(200);
    }
  });
});
