import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Config } from '../config/config';
import { type PageKind, pageHeaders } from './page-headers';
import { WELCOME_PAGE } from './welcome-page';

/** The paths of the web client's screens. Any other one stays a 404 that clients of the interface can read. */
const CLIENT_PATHS = [
  '/',
  '/conversations',
  '/conversations/*',
  '/contacts',
  '/calls',
  '/calls/*',
  '/notifications',
  '/settings',
];
const PANEL_PATHS = ['/admin', '/admin/*'];

/** The build names what it makes by content, all in one folder. */
const ASSET = /^\w[\w.-]*$/;
const ASSET_OPTIONS = { maxAge: '1y', immutable: true };
/** Players of sound and film ask for parts. */
const DEMO_OPTIONS = { maxAge: '1d', acceptRanges: true };

const HTTPS_ALONE = ['Cross-Origin-Opener-Policy', 'Origin-Agent-Cluster'];

/** Outside the guards and the limit on requests; the files are compressed already. */
const ROUTE: RouteShorthandOptions = { config: { isUncounted: true }, compress: false };

/** Whether the pages are to be served, and have been built into this folder. */
export const hasPages = ({ web }: Pick<Config, 'web'>, folder: string | undefined): boolean =>
  web && folder !== undefined && existsSync(join(folder, 'index.html'));

/**
 * Serves the web client at `/`, the panel at `/admin`, their scripts and styles at `/assets` (contract 18.9), and with demo data its
 * media at `/demo`; without pages a small one at `/`.
 * @param folder where the build has put them; nowhere when left out
 */
export function servePages(app: NestFastifyApplication, config: Config, folder?: string): void {
  const fastify = app.getHttpAdapter().getInstance();
  if (folder === undefined || !hasPages(config, folder)) {
    if (config.web && folder !== undefined)
      fastify.log.warn(`No pages are served: they are not in ${folder}; npm run build makes them`);
    fastify.get('/', ROUTE, (_request, reply) => reply.type('text/html; charset=utf-8').send(WELCOME_PAGE));
    return;
  }
  // Nothing here is so long that somebody would want a part of it.
  const options = { root: folder, serve: false, preCompressed: true, acceptRanges: false };
  // Not awaited: what awaits it would settle the routes before Nest has said who handles their errors.
  void app.register(fastifyStatic, options);
  const servePage = (paths: string[], kind: PageKind, file: string): void => {
    const headers = pageHeaders(kind, config.media);
    for (const path of paths)
      fastify.get(path, ROUTE, (request, reply) => sendPage(request, reply.headers(headers), file));
  };
  servePage(CLIENT_PATHS, 'client', 'index.html');
  servePage(PANEL_PATHS, 'panel', 'admin/index.html');
  fastify.get('/favicon.svg', ROUTE, (_request, reply) => reply.sendFile('favicon.svg', { maxAge: '1d' }));
  if (config.demoData)
    fastify.get<{ Params: { '*': string } }>('/demo/*', ROUTE, ({ params: { '*': name } }, reply) =>
      ASSET.test(name) ? reply.sendFile(`demo/${name}`, DEMO_OPTIONS) : reply.callNotFound(),
    );
  fastify.get<{ Params: { '*': string } }>('/assets/*', ROUTE, ({ params: { '*': name } }, reply) =>
    ASSET.test(name) ? reply.sendFile(`assets/${name}`, ASSET_OPTIONS) : reply.callNotFound(),
  );
}

function sendPage({ protocol }: FastifyRequest, reply: FastifyReply, file: string): FastifyReply {
  // Over plain HTTP browsers ignore these, and complain of them on the console.
  if (protocol !== 'https') for (const header of HTTPS_ALONE) void reply.removeHeader(header);
  return reply.sendFile(file, { cacheControl: false });
}
