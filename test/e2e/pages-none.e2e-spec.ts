import { version } from '../../package.json';
import { loadConfig } from '../../src/config/config';
import { createApp } from '../../src/create-app';
import { testEnvironment } from '../support/environment';
import { makePages } from '../support/pages';
import { createTestApp, type TestApp } from '../support/test-app';

describe('Without pages', () => {
  const small = async (test: TestApp): Promise<void> => {
    const { statusCode, headers, body } = await test.app.inject('/');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain(`Version ${version}`);
    for (const path of ['docs', 'docs-json', 'health/ready']) {
      expect(body).toContain(`href="${path}"`);
      expect((await test.app.inject(`/${path}`)).statusCode).toBe(200);
    }
    for (const path of ['/admin', '/assets/client-DGqkqiTx.js', '/conversations', '/favicon.svg'])
      expect((await test.app.inject(path)).statusCode).toBe(404);
    expect((await test.app.inject('/api/client-config')).statusCode).toBe(200);
  };

  /** What the log of another instance says at its start. */
  const warningsOf = async (
    { database }: TestApp,
    env: NodeJS.ProcessEnv,
    pages: string,
  ): Promise<string[]> => {
    const lines: string[] = [];
    const config = loadConfig(testEnvironment(database.url, { LOG_LEVEL: 'warn', ...env }));
    const app = await createApp(config, { logTo: { write: (line) => lines.push(line) }, pages });
    await app.close();
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  };

  it('that WEB=off switches off, there is a small one that names the version and leads to the interface', async () => {
    const pages = makePages();
    const test = await createTestApp({ pages: pages.folder, env: { WEB: 'off' } });
    await small(test);
    await test.close();
    pages.remove();
  });

  it('that nobody has built, too', async () => {
    const test = await createTestApp({ pages: '/nowhere/dist/web' });
    await small(test);
    expect(await warningsOf(test, {}, '/nowhere/dist/web')).toEqual([
      'The web app is not served: /nowhere/dist/web does not contain it, run npm run build',
    ]);
    // Who has switched them off need not be told.
    expect(await warningsOf(test, { WEB: 'off' }, '/nowhere/dist/web')).toEqual([]);
    await test.close();
  });
});
