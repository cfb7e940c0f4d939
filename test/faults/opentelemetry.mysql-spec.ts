import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { eventually, ServiceProcess } from '../support/service-process';
import { signToken } from '../support/tokens';
import { Receiver, WEBHOOKS } from '../support/webhooks';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const FILE_TRACE = '5bf92f3577b34da6a3ce929d0e0e4737';
const SPAN = '00f067aa0ba902b7';
const [ANN, BEN, ADMIN] = [101, 102, 103];
/** Kinds of spans in OTLP. */
const [SERVER, CLIENT] = [2, 3];

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** Returns the spans that a collector has received by OTLP in JSON. */
const spansOf = ({ received }: Receiver): Span[] =>
  received.flatMap(({ body }) => {
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });

const packageOf = (file: string) =>
  JSON.parse(readFileSync(file, 'utf8')) as { version: string; dependencies: Record<string, string> };

const attribute = ({ attributes }: Span, name: string) =>
  attributes.find(({ key }) => key === name)?.value.stringValue;

it('deploy/otel names the versions that are tested', () => {
  const wanted = packageOf('deploy/otel/package.json').dependencies;
  const installed = Object.keys(wanted).map((name) => [
    name,
    packageOf(`node_modules/${name}/package.json`).version,
  ]);
  expect(Object.fromEntries(installed)).toEqual(wanted);
});

describe('With deploy/otel/register.mjs', () => {
  let database: TestDatabase;
  let collector: Receiver;
  let receiver: Receiver;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    collector = await Receiver.open();
    receiver = await Receiver.open();
    const env = {
      ...WEBHOOKS,
      LOG_LEVEL: 'debug',
      NODE_OPTIONS: `--import=${resolve('deploy/otel/register.mjs')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    };
    service = await ServiceProcess.start(database.url, env, [], 'dist/bundle/main.js');
  });
  afterAll(async () => {
    await service?.kill();
    await receiver?.close();
    await collector?.close();
    await database?.drop();
  });

  it('a request, its statements and the webhook that it causes are spans of one trace', async () => {
    const webhook = { url: `${receiver.url}?access=secret-of-the-url`, event_types: ['call.created'] };
    expect((await service.send(ADMIN, 'POST', '/api/admin/webhooks', webhook, 'admin')).code).toBe(0);
    expect((await service.send(BEN, 'GET', '/api/calls/active')).code).toBe(0);
    const response = await fetch(`${service.url}/api/calls`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await signToken({ sub: String(ANN), role: 'user' })}`,
        'content-type': 'application/json',
        traceparent: `00-${TRACE}-${SPAN}-01`,
      },
      body: JSON.stringify({ callee_id: BEN }),
    });
    expect(response.status).toBe(200);

    const isDelivery = (span: Span): boolean =>
      span.kind === CLIENT && attribute(span, 'url.full') === new URL(receiver.url).origin;
    const traced = () => spansOf(collector).filter(({ traceId }) => traceId === TRACE);
    await eventually(
      async () => traced(),
      (spans) => spans.some(({ kind }) => kind === SERVER) && spans.some(isDelivery),
    );
    const request = traced().find(({ kind }) => kind === SERVER);
    expect(request).toMatchObject({ name: 'POST /api/calls', parentSpanId: SPAN });
    const statements = traced().filter((span) => attribute(span, 'db.system.name') === 'mysql');
    expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['INSERT', 'COMMIT']));
    expect(statements.find(({ name }) => name === 'INSERT')?.parentSpanId).toBe(request?.spanId);
    expect(statements.map((span) => attribute(span, 'db.query.text')).join()).not.toContain(String(ANN));

    const delivery = traced().find(isDelivery);
    expect(delivery?.parentSpanId).toBe(request?.spanId);
    expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual([
      `00-${TRACE}-${delivery?.spanId}-01`,
    ]);
    const lines = service.lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as object] : []));
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'request', route: '/api/calls', trace_id: TRACE }),
    );
  });

  it('exports no query of a URL, and of an outgoing request only the origin', async () => {
    const traceparent = `00-${FILE_TRACE}-${SPAN}-01`;
    const file = `${service.url}/files/1.jpg?expires=99999999999&signature=secret-of-the-url`;
    expect((await fetch(file, { headers: { traceparent } })).status).toBe(403);
    const spansOfFile = await eventually(
      async () => spansOf(collector).filter(({ traceId }) => traceId === FILE_TRACE),
      (spans) => spans.some(({ kind }) => kind === SERVER),
    );
    const requests = spansOfFile.filter(({ kind }) => kind === SERVER);
    expect(requests.map((span) => attribute(span, 'url.path'))).toEqual(['/files/1.jpg']);
    expect(requests.map((span) => attribute(span, 'url.query'))).toEqual(['']);
    expect(JSON.stringify(spansOf(collector))).not.toContain('secret-of-the-url');
  });
});
