import { version } from '../../package.json';
import { loadConfig } from '../../src/config/config';
import { createApp } from '../../src/create-app';
import { testEnvironment } from '../support/environment';
import { writePages } from '../support/pages';
import { createTestApp, type TestApp } from '../support/test-app';

describe('Without the web app', () => {
  const small = async (test: TestApp): Promise<void> => {
    const { statusCode, headers, body } = await test.app.inject('/');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain(`Version ${version}`);
    for (const path of ['docs', 'docs-json', 'health/ready']) {
      expect(body).toContain(`href="${path}"`);
      expect((await test.app.inject(`/${path}`)).statusCode).toBe(200);
    }
    for (const path of ['/admin', '/assets/client-DGqkqiTx.js', '/conversations', '/favicon.svg', '/sw.js'])
      expect((await test.app.inject(path)).statusCode).toBe(404);
    expect((await test.app.inject('/api/client-config')).statusCode).toBe(200);
  };

  /** Returns the log of another instance at its start. */
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

  it('WEB=off serves a page with the version and a link to the API', async () => {
    const pages = writePages();
    const test = await createTestApp({ pages: pages.folder, env: { WEB: 'off' } });
    await small(test);
    await test.close();
    pages.remove();
  });

  it('a missing build serves the same page', async () => {
    const test = await createTestApp({ pages: '/nowhere/dist/web' });
    await small(test);
    expect(await warningsOf(test, {}, '/nowhere/dist/web')).toEqual([
      'The web app is not served: /nowhere/dist/web does not contain it, run npm run build',
    ]);
    // No warning is needed when the web app is switched off.
    expect(await warningsOf(test, { WEB: 'off' }, '/nowhere/dist/web')).toEqual([]);
    await test.close();
  });
});
