import { type ApiDocument, documentOf, type Operation, operationsIn } from '../support/api-document';
import { ServiceProcess } from '../support/service-process';
import { type OpenApiDocument, operationsOf } from '../fuzz/document';
import { Judge } from '../fuzz/judge';

/** `HTTP_STATUS_MODE=always_200`: what the document says of errors then, held against the answers of such a service. */
describe('The OpenAPI document where every envelope is HTTP 200', () => {
  let service: ServiceProcess;
  let document: ApiDocument;
  let operations: [name: string, operation: Operation][];
  beforeAll(async () => {
    service = await ServiceProcess.start('sqlite::memory:', { HTTP_STATUS_MODE: 'always_200' });
    document = await documentOf(service.url);
    operations = operationsIn(document);
  });
  afterAll(() => service?.stop());

  it('has nothing but 200, and 304 where it is asked for, below /api', () => {
    const statuses = operations
      .filter(([name]) => name.includes(' /api/'))
      .flatMap(([, { responses }]) => Object.keys(responses));
    expect([...new Set(statuses)].toSorted()).toEqual(['200', '304']);
  });

  it('describes a success or the errors of the operation', () => {
    const accept = document.paths['/api/calls/{callId}/accept']?.post?.responses['200'];
    const [success, error] = accept?.content?.['application/json']?.schema.oneOf ?? [];
    expect(success?.allOf?.[0]).toEqual({ $ref: '#/components/schemas/Envelope' });
    expect(error?.allOf?.[0]).toEqual({ $ref: '#/components/schemas/ErrorResponse' });
    expect(error?.allOf?.[1]?.properties?.code?.enum).toEqual([
      404, 41_004, 41_006, 41_007, 429, 500, 503, 401, 422, 400, 413, 415,
    ]);
    expect(accept?.description).toContain('`41006` 已被其他终端接听');
    expect(Object.keys(accept?.headers ?? {})).toEqual(['X-Request-Id', 'Retry-After']);
  });

  it('describes the errors of the stream beside it', () => {
    const { content = {} } = document.paths['/api/events']?.get?.responses['200'] ?? {};
    expect(Object.keys(content)).toEqual(['text/event-stream', 'application/json']);
    expect(content['application/json']?.schema.allOf?.[0]).toEqual({
      $ref: '#/components/schemas/ErrorResponse',
    });
  });

  it('is what the service does', async () => {
    const judge = new Judge(document as unknown as OpenApiDocument);
    const all = operationsOf(document as unknown as OpenApiDocument);
    const verdict = async (name: string, path: string): Promise<[status: number, problems: string[]]> => {
      const operation = all.find((one) => one.name === name);
      if (operation === undefined) throw new Error(`There is no ${name}`);
      const response = await fetch(service.url + path, { method: operation.method });
      const headers = Object.fromEntries(response.headers);
      const answer = { status: response.status, headers, text: await response.text(), ms: 1 };
      return [response.status, judge.problemsOf(operation, operation, answer)];
    };
    // Without a token, and with a body that is not there.
    expect(await verdict('GET /api/calls', '/api/calls')).toEqual([200, []]);
    expect(await verdict('GET /api/events', '/api/events')).toEqual([200, []]);
    expect(await verdict('POST /api/auth/login', '/api/auth/login')).toEqual([200, []]);
    expect(await verdict('GET /health/live', '/health/live')).toEqual([200, []]);
  });
});
