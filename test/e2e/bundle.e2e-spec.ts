import { globSync, readFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { ServiceProcess } from '../support/service-process';

const BUNDLE = 'dist/bundle/main.js';

describe('The bundle of the service', () => {
  let database: TestDatabase;
  let bundled: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    bundled = await ServiceProcess.start(database.url, {}, [], BUNDLE);
  });
  afterAll(async () => {
    await bundled?.kill();
    await database?.drop();
  });

  const read = async (service: ServiceProcess, path: string): Promise<[number, string]> => {
    const response = await fetch(`${service.url}${path}`);
    return [response.status, await response.text()];
  };

  it('serves the same API description as the compiled service', async () => {
    const compiled = await ServiceProcess.start(database.url);
    try {
      expect(await read(bundled, '/docs-json')).toEqual(await read(compiled, '/docs-json'));
    } finally {
      await compiled.kill();
    }
  });

  it('serves the web app, and the pages of the API description with their scripts', async () => {
    for (const path of ['/', '/admin', '/docs', '/docs/swagger-ui-bundle.js'])
      expect([path, (await read(bundled, path))[0]]).toEqual([path, 200]);
  });

  it('keeps texts outside ASCII, in values and in patterns', async () => {
    const group = { type: 'group', name: '家庭 👨‍👩‍👧' };
    const { code, data } = await bundled.send(1, 'POST', '/api/messages/conversations', group);
    expect([code, data.name]).toEqual([0, '家庭 👨‍👩‍👧']);
    const path = `/api/messages/conversations/${data.id}/messages`;
    const message = await bundled.send(1, 'POST', path, { type: 'text', content: '你好' });
    const reaction = { emoji: '👍', reacted: true };
    expect((await bundled.send(1, 'PUT', `/api/messages/${message.data.id}/reactions`, reaction)).code).toBe(
      0,
    );
    expect(await bundled.send(1, 'POST', '/api/messages/conversations', { type: 'group' })).toEqual({
      code: 422,
      message: 'name 字段不能为空',
      data: null,
    });
  });

  it('is ASCII, so that V8 keeps it in one byte per character', () => {
    const files = globSync('dist/bundle/*.js');
    expect(files.filter((file) => readFileSync(file).some((byte) => byte > 127))).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  });

  it('ends with exit code 0 on SIGTERM', async () => {
    expect(await bundled.stop()).toBe(0);
  });
});
