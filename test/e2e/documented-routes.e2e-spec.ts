import { globSync, readFileSync } from 'node:fs';
import { routesOf } from '../support/routes';
import { createTestApp } from '../support/test-app';

const VERBS = 'GET|POST|PUT|DELETE';
/** Matches `POST /api/calls/{callId}/accept`, but no paths that are shortened with `…`. */
const ROUTE = new RegExp(`\`((?:${VERBS})(?: (?:·|and) (?:${VERBS}))*) (/api/[\\w{}/-]+)`, 'g');

/** Returns a path without the names of its parameters. */
const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}|(?<=\/)\d+(?=\/|$)/g, '{}');

describe('Routes', () => {
  it('are in the service if a document names them, and in docs/api if the service has them', async () => {
    const routes = new Set<string>();
    for (const MEDIA_PROVIDER of ['webrtc', 'agora', 'livekit']) {
      const livekit =
        MEDIA_PROVIDER === 'livekit'
          ? {
              LIVEKIT_URL: 'wss://media.example',
              LIVEKIT_API_KEY: 'APIkey',
              LIVEKIT_API_SECRET: 's'.repeat(32),
            }
          : {};
      const test = await createTestApp({ env: { MEDIA_PROVIDER, ...livekit } });
      const { body } = await test.api.get('/docs-json');
      for (const [path, operations] of Object.entries(body.paths as Record<string, object>))
        for (const method of Object.keys(operations)) routes.add(`${method.toUpperCase()} ${shapeOf(path)}`);
      await test.close();
    }
    const named = globSync(['*.md', 'docs/{,api/}*.md'])
      .filter((file) => file !== 'CHANGELOG.md')
      .flatMap((file) =>
        Array.from(readFileSync(file, 'utf8').matchAll(ROUTE), ([, verbs = '', path = '']) =>
          (verbs.match(new RegExp(VERBS, 'g')) ?? []).map((verb) => ({
            file,
            route: `${verb} ${shapeOf(path)}`,
          })),
        ).flat(),
      );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ route }) => !routes.has(route))).toEqual([]);
    const ruled = new Set(named.flatMap(({ file, route }) => (file.startsWith('docs/api/') ? [route] : [])));
    expect([...routes].filter((route) => route.includes(' /api/') && !ruled.has(route))).toEqual([]);
  });

  it('are in the lists of the documents for proxies: forwarded by one with the web app, or hidden by HAProxy', async () => {
    const test = await createTestApp();
    const paths = new Set((await routesOf(test.app)).map((route) => /\/[\w-]*/.exec(route)?.[0] ?? ''));
    await test.close();
    paths.delete('/');
    const quotedIn = (text = ''): string[] => Array.from(text.matchAll(/\/[\w-]+/g), ([path]) => path);
    const [, forwarded] =
      /\*\*Behind a proxy\*\*[^,]*, forward ([^;]*?) to\s+the service/.exec(
        readFileSync('docs/web.md', 'utf8'),
      ) ?? [];
    const [, hidden] = /path_beg ([^}]*)\}/.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
    // Metrics are scraped from the service itself.
    expect(new Set([...quotedIn(forwarded), '/metrics'])).toEqual(paths);
    const isHidden = (path: string): boolean => quotedIn(hidden).some((prefix) => path.startsWith(prefix));
    expect([...paths].filter((path) => !isHidden(path)).toSorted()).toEqual(['/api', '/files']);
  });
});
