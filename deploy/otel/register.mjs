import diagnostics from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';

/*
 * Sends traces to an OpenTelemetry collector: spans of requests, statements, Redis commands and outgoing requests.
 * Load it with NODE_OPTIONS=--import=/path/to/deploy/otel/register.mjs. The variables OTEL_* configure it; traces go to
 * http://localhost:4318 by default. The section "Traces" of docs/operations.md has the details.
 */

process.env.OTEL_SERVICE_NAME ??= 'callboard';
process.env.OTEL_TRACES_EXPORTER ??= 'otlp';
// The service has metrics at /metrics and a structured log.
process.env.OTEL_METRICS_EXPORTER ??= 'none';
process.env.OTEL_LOGS_EXPORTER ??= 'none';
// Spans that wait when the service exits are lost.
process.env.OTEL_BSP_SCHEDULE_DELAY ??= '1000';

const tracer = trace.getTracer('callboard');
/** Streams and probes would be spans of hours, or of every second. */
const IGNORED_PATHS = /^\/(?:health|metrics|api\/events)/;

/**
 * Queries contain signatures of files and keywords of searches. The path of an outgoing request can be a secret itself, such as
 * the endpoint of a push subscription or of a webhook, so only its origin is exported. Attributes cannot be removed, only replaced.
 */
const withoutPath = (origin) => ({ 'url.full': origin, 'url.path': '', 'url.query': '' });

const sdk = new NodeSDK({
  instrumentations: [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: ({ url }) => IGNORED_PATHS.test(url ?? ''),
      requestHook(span, request) {
        if (request instanceof IncomingMessage) span.setAttribute('url.query', '');
        else
          span.setAttributes(
            withoutPath(`${request.protocol}//${String(request.getHeader('host') ?? request.host)}`),
          );
      },
    }),
    new UndiciInstrumentation({
      requestHook: (span, { origin }) => span.setAttributes(withoutPath(new URL(origin).origin)),
    }),
  ],
});
sdk.start();

/** Names the span of a request after its route. */
diagnostics.subscribe('tracing:fastify.request.handler:start', ({ route }) => {
  trace
    .getSpan(context.active())
    ?.updateName(`${route.method} ${route.url}`)
    .setAttribute('http.route', route.url);
});

traceCommands(['mysql2:query', 'mysql2:execute'], ({ query, database, serverAddress, serverPort }) => ({
  name: /^\s*\w+/.exec(query)?.[0].trim().toUpperCase() ?? 'SQL',
  // With placeholders: values may be secrets.
  attributes: {
    'db.system.name': 'mysql',
    'db.namespace': database,
    'db.query.text': query,
    'server.address': serverAddress,
    'server.port': serverPort,
  },
}));
traceCommands(['ioredis:command'], ({ command, serverAddress, serverPort }) => ({
  name: String(command).toUpperCase(),
  attributes: { 'db.system.name': 'redis', 'server.address': serverAddress, 'server.port': serverPort },
}));

/** Opens a span for each command that a library publishes on its channels. Those outside a trace have none. */
function traceCommands(channels, describe) {
  const spans = new WeakMap();
  for (const channel of channels) {
    diagnostics.tracingChannel(channel).subscribe({
      start(command) {
        if (trace.getSpan(context.active()) === undefined) return;
        const { name, attributes } = describe(command);
        spans.set(command, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }));
      },
      error(command) {
        spans.get(command)?.setStatus({ code: SpanStatusCode.ERROR, message: String(command.error?.code) });
      },
      asyncStart(command) {
        spans.get(command)?.end();
      },
      end() {},
      asyncEnd() {},
    });
  }
}
