import compress from '@fastify/compress';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DestinationStream } from 'pino';
import { AppModule } from './app.module';
import { Clock } from './common/clock';
import { registerBodyParser } from './common/input/body-parser';
import { limitConnections } from './common/server/connection-limits';
import { shedLoad } from './common/server/overload';
import { readForwardedAddresses } from './common/server/forwarded-addresses';
import { compressLargeBodies } from './common/server/large-bodies';
import { limitPipelining } from './common/server/pipelining';
import { sendSecurityHeaders } from './common/server/security-headers';
import { serverOptions, traceRequests } from './common/server/server-options';
import { limitPendingBodies } from './common/server/pending-bodies';
import { handleClientErrors } from './common/server/unreadable-requests';
import { logDestinationFor } from './common/log-destination';
import { StructuredLogger } from './common/logger';
import { varyByLanguage } from './common/i18n/catalogues';
import { rateLimitUnguardedRoutes, rateLimitByAddress } from './rate-limit/request-rate';
import type { Config } from './config/config';
import { trustedProxies } from './config/trusted-proxies';
import { eventSchemas } from './events/dto/event-schemas';
import { serveDocs } from './openapi/serve-docs';
import { webhookSchemas } from './outbox/dto/domain-event-schemas';
import { servePages } from './pages/serve-pages';
import { RequestMetrics } from './operations/request-metrics';
import { Workers } from './workers/workers';

/**
 * Creates the application, ready to listen; used by the service and its tests. `logTo`: destination of the log instead
 * of standard output; `pages`: folder of the built web app, if it is to be served; `workers`: those of this process.
 */
export async function createApp(
  config: Config,
  {
    clock = new Clock(),
    logTo,
    pages,
    workers = new Workers(),
  }: { clock?: Clock; logTo?: DestinationStream; pages?: string; workers?: Workers } = {},
): Promise<NestFastifyApplication> {
  const log = logTo ?? (await logDestinationFor(config));
  // There is no Nest middleware, so the middleware hook is not needed on each request.
  const adapter = new FastifyAdapter({
    ...serverOptions(config, { logTo: log, worker: workers.number }),
    skipMiddie: true,
  });
  const fastify = adapter.getInstance();
  if (config.trustProxy !== false) readForwardedAddresses(fastify);
  traceRequests(fastify, config);
  handleClientErrors(fastify, config);
  varyByLanguage(fastify, config);
  limitConnections(fastify.server, trustedProxies(config.trustProxy));
  limitPipelining(fastify);

  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, clock, workers),
    adapter,
    {
      bodyParser: false,
      logger: new StructuredLogger(fastify.log),
      // A failed start rejects the promise instead of ending the process.
      abortOnError: false,
    },
  );
  registerBodyParser(fastify);
  rateLimitUnguardedRoutes(app);
  app.get(RequestMetrics).watch(fastify);

  sendSecurityHeaders(fastify, {
    // No upgrade to https: behind a proxy, the service may be used over plain HTTP.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    hsts: config.mode === 'production',
  });
  if (config.corsOrigins.length > 0) await app.register(cors, corsOptions(config));
  rateLimitByAddress(app);
  shedLoad(app, config);
  limitPendingBodies(fastify);
  compressLargeBodies(fastify);
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip', 'deflate'],
    // Request bodies are not decompressed; the body parser rejects compressed ones.
    globalDecompression: false,
  });
  serveDocs(app, { config, schemas: eventSchemas, webhooks: webhookSchemas });
  servePages(app, config, pages);
  await app.init();
  return app;
}

/** Headers of resumable uploads. */
const TUS_RESPONSE_HEADERS = [
  'Location',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Checksum-Algorithm',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
];

function corsOptions({ corsOrigins }: Config): FastifyCorsOptions {
  return {
    origin: corsOrigins.includes('*') ? true : corsOrigins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'X-Request-Id',
      'X-Total-Count',
      'X-Event-Cursor',
      'X-Pinned-Count',
      'ETag',
      'Retry-After',
      ...TUS_RESPONSE_HEADERS,
    ],
    strictPreflight: false,
  };
}
