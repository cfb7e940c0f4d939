import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic, { type SendOptions } from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Config } from '../config/config';
import { type PageKind, pageHeaders } from './page-headers';
import { WELCOME_PAGE } from './welcome-page';

/** Paths of the web client's screens. Other paths remain a 404 in the envelope for API clients. */
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

/** Name of a file in the folder of assets: no subfolders. The build puts a hash of the content into the names. */
const ASSET = /^\w[\w.-]*$/;
const ASSET_OPTIONS = { maxAge: '1y', immutable: true };
/** Audio and video players send range requests. */
const DEMO_OPTIONS = { maxAge: '1d', acceptRanges: true };

/** Headers that browsers ignore over plain HTTP. */
const HTTPS_ONLY_HEADERS = ['Cross-Origin-Opener-Policy', 'Origin-Agent-Cluster'];

/** Options of the routes: not rate-limited, and not compressed because the files are compressed already. */
const ROUTE: RouteShorthandOptions = { config: { isUncounted: true }, compress: false };

/** Whether the web app is enabled and its files exist in the folder. */
export const hasPages = ({ web }: Pick<Config, 'web'>, folder: string | undefined): boolean =>
  web && folder !== undefined && existsSync(join(folder, 'index.html'));

/**
 * Serves the web client at `/` with its service worker, manifest and icons, the panel at `/admin`, their assets at
 * `/assets` (API 16.5) and, with demo data, its media at `/demo`. Without the web app, serves a welcome page at `/`.
 * @param folder output folder of the web build; undefined if there is none
 */
export function servePages(app: NestFastifyApplication, config: Config, folder?: string): void {
  const fastify = app.getHttpAdapter().getInstance();
  if (folder === undefined || !hasPages(config, folder)) {
    if (config.web && folder !== undefined)
      fastify.log.warn(`The web app is not served: ${folder} does not contain it, run npm run build`);
    fastify.get('/', ROUTE, (_request, reply) => reply.type('text/html; charset=utf-8').send(WELCOME_PAGE));
    return;
  }
  // No range requests: the files are small.
  const options = { root: folder, serve: false, preCompressed: true, acceptRanges: false };
  // Not awaited: awaiting would finish the route setup before Nest has installed its error handler.
  void app.register(fastifyStatic, options);
  const servePage = (paths: string[], kind: PageKind, file: string): void => {
    const headers = pageHeaders(kind, config.media);
    for (const path of paths)
      fastify.get(path, ROUTE, (request, reply) => sendPage(request, reply.headers(headers), file));
  };
  servePage(CLIENT_PATHS, 'client', 'index.html');
  servePage(PANEL_PATHS, 'panel', 'admin/index.html');
  for (const file of ['favicon.svg', 'manifest.webmanifest'])
    fastify.get(`/${file}`, ROUTE, (_request, reply) => reply.sendFile(file, { maxAge: '1d' }));
  fastify.get('/sw.js', ROUTE, (_request, reply) =>
    // Browsers look for a new version at each visit.
    reply.header('Cache-Control', 'no-cache').sendFile('sw.js', { cacheControl: false }),
  );
  const serveFolder = (name: string, sendOptions: SendOptions): void =>
    void fastify.get<{ Params: { '*': string } }>(`/${name}/*`, ROUTE, ({ params: { '*': file } }, reply) =>
      ASSET.test(file) ? reply.sendFile(`${name}/${file}`, sendOptions) : reply.callNotFound(),
    );
  serveFolder('icons', { maxAge: '1d' });
  if (config.demoData) serveFolder('demo', DEMO_OPTIONS);
  serveFolder('assets', ASSET_OPTIONS);
}

function sendPage({ protocol }: FastifyRequest, reply: FastifyReply, file: string): FastifyReply {
  // Over plain HTTP browsers ignore these headers and log warnings to the console.
  if (protocol !== 'https') for (const header of HTTPS_ONLY_HEADERS) void reply.removeHeader(header);
  return reply.sendFile(file, { cacheControl: false });
}
