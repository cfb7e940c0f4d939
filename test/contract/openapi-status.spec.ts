import { type ApiDocument, documentOf, type Operation, operationsIn } from '../support/api-document';
import { ServiceProcess } from '../support/service-process';
import { type OpenApiDocument, operationsOf } from '../fuzz/document';
import { ResponseValidator } from '../fuzz/response-validator';

/** Compares the document under `HTTP_STATUS_MODE=always_200` with the responses of such a service. */
describe('The OpenAPI document with HTTP_STATUS_MODE=always_200', () => {
  let service: ServiceProcess;
  let document: ApiDocument;
  let operations: [name: string, operation: Operation][];
  beforeAll(async () => {
    service = await ServiceProcess.start('sqlite::memory:', { HTTP_STATUS_MODE: 'always_200' });
    document = await documentOf(service.url);
    operations = operationsIn(document);
  });
  afterAll(() => service?.stop());

  it('has only 200 below /api, and 304 for conditional requests', () => {
    const statuses = operations
      .filter(([name]) => name.includes(' /api/'))
      .flatMap(([, { responses }]) => Object.keys(responses));
    expect([...new Set(statuses)].toSorted()).toEqual(['200', '304']);
  });

  it('describes each response as a success or one of the operation’s errors', () => {
    const accept = document.paths['/api/calls/{callId}/accept']?.post?.responses['200'];
    const [success, error] = accept?.content?.['application/json']?.schema.oneOf ?? [];
    expect(success).toEqual({ $ref: '#/components/schemas/AcceptedCallEnvelope' });
    expect(error).toEqual({ $ref: '#/components/schemas/ErrorResponse' });
    expect(accept?.['x-codes']).toEqual([
      404, 41_004, 41_006, 41_007, 429, 500, 503, 401, 422, 400, 413, 415,
    ]);
    expect(accept?.description).toContain('`41006` 已被其他终端接听');
    expect(Object.keys(accept?.headers ?? {})).toEqual(['X-Request-Id', 'Retry-After']);
  });

  it('describes the stream’s errors as a separate response', () => {
    const { content = {} } = document.paths['/api/events']?.get?.responses['200'] ?? {};
    expect(Object.keys(content)).toEqual(['text/event-stream', 'application/json']);
    expect(content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/ErrorResponse',
    });
  });

  it('matches the responses of the service', async () => {
    const validator = new ResponseValidator(document as unknown as OpenApiDocument);
    const all = operationsOf(document as unknown as OpenApiDocument);
    const verdict = async (name: string, path: string): Promise<[status: number, problems: string[]]> => {
      const operation = all.find((one) => one.name === name);
      if (operation === undefined) throw new Error(`There is no ${name}`);
      const response = await fetch(service.url + path, { method: operation.method });
      const headers = Object.fromEntries(response.headers);
      const reply = { status: response.status, headers, text: await response.text(), ms: 1 };
      return [response.status, validator.problemsOf(operation, operation, reply)];
    };
    // Without a token and without a body.
    expect(await verdict('GET /api/calls', '/api/calls')).toEqual([200, []]);
    expect(await verdict('GET /api/events', '/api/events')).toEqual([200, []]);
    expect(await verdict('POST /api/auth/login', '/api/auth/login')).toEqual([200, []]);
    expect(await verdict('GET /health/live', '/health/live')).toEqual([200, []]);
  });
});
