import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * Returns every route of a running application, from its router: `GET /api/calls/:callId`. A route for every method is
 * `ALL`; HEAD, which exists for each GET, is omitted.
 */
export async function routesOf(app: NestFastifyApplication): Promise<string[]> {
  const fastify = app.getHttpAdapter().getInstance();
  await fastify.ready();
  const parents: string[] = [];
  return fastify
    .printRoutes({ commonPrefix: true })
    .split('\n')
    .flatMap((line) => {
      // "│   ├── :id (GET, HEAD, PUT)", "│   ├── calls/": four columns per level of the router's prefix tree.
      const [, branches = '', part = '', methods = ''] =
        /^((?:[│ ] {3})*)[├└]── (.*?)(?: \((.*)\))?$/.exec(line) ?? [];
      const depth = branches.length / 4;
      parents[depth] = part;
      const path = parents.slice(0, depth + 1).join('');
      const names = methods.split(', ').filter((method) => method !== 'HEAD' && method !== '');
      return names.length > 5 ? [`ALL ${path}`] : names.map((method) => `${method} ${path}`);
    });
}
