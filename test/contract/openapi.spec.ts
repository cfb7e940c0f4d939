import Ajv from 'ajv';
import { version } from '../../package.json';
import { EVENT_TYPES } from '../../src/events/dto/event-schemas';
import {
  type ApiDocument,
  builtDocument,
  fieldsWithin,
  type Operation,
  operationsIn,
  resolved,
  type Schema,
  withoutWords,
} from '../support/api-document';
import { type OpenApiDocument, operationsOf } from '../fuzz/document';
import { ResponseValidator } from '../fuzz/response-validator';

/** Each response with data has its own schema; responses without data and errors share one. */
const ENVELOPE = /^#\/components\/schemas\/(?:\w+Envelope|ErrorResponse|NothingResponse)$/;

/** The document of the built service, because the OpenAPI plugin runs during the build. */
describe('The OpenAPI document', () => {
  let document: ApiDocument;
  let operations: [name: string, operation: Operation][];
  beforeAll(async () => {
    document = await builtDocument('agora');
    operations = operationsIn(document);
  });

  const namesOf = (wrong: (operation: Operation, name: string) => boolean): string[] =>
    operations.filter(([name, operation]) => wrong(operation, name)).map(([name]) => name);
  const inApi = (name: string): boolean => name.includes(' /api/');

  it('has the version of the package', () => {
    expect(document.info.version).toBe(version);
  });

  it('gives every operation a summary and a tag', () => {
    expect(namesOf(({ summary, tags }) => !summary || !tags?.length)).toEqual([]);
  });

  it('gives every operation a unique name', () => {
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
  });

  it('has one success, HTTP 200, for every operation, and 206 for a part of a file', () => {
    const successes = ({ responses }: Operation): string[] =>
      Object.keys(responses).filter((status) => status < '300');
    expect(namesOf((operation) => successes(operation).join() !== '200')).toEqual(['GET /files/{file}']);
    const file = document.paths['/files/{file}']?.['get'];
    expect(file && successes(file)).toEqual(['200', '206']);
  });

  it('describes every response below /api as an envelope', () => {
    const isEnvelope = (schema?: Schema): boolean => ENVELOPE.test(schema?.$ref ?? '');
    const schemasOf = ({ responses }: Operation) =>
      Object.values(responses)
        .map((response) => resolved(document, response))
        // The event stream is outside the envelope (API 1.1); its errors are not. A 304 has no body.
        .filter(({ content }) => content && !content['text/event-stream'] && !content['text/csv'])
        .map(({ content }) => content?.['application/json']?.schema);
    expect(namesOf((operation, name) => inApi(name) && !schemasOf(operation).every(isEnvelope))).toEqual([]);
  });

  it('lists the error codes of each operation', () => {
    const accept = document.paths['/api/calls/{callId}/accept']?.post?.responses ?? {};
    const codes = Object.entries(accept).flatMap(([status, response]) => {
      const { 'x-codes': own } = resolved(document, response);
      return own === undefined ? [] : [[status, own]];
    });
    expect(Object.fromEntries(codes)).toEqual({
      400: [400],
      401: [401],
      403: [41_004],
      404: [404],
      409: [41_006, 41_007],
      413: [413],
      415: [415],
      422: [422],
      429: [429],
      500: [500],
      503: [503],
    });
    expect(accept['404']).toEqual({ $ref: '#/components/responses/CallNotFound' });
    const login = document.paths['/api/auth/login']?.post?.responses['401'];
    expect(login).toEqual({ $ref: '#/components/responses/BadCredentials' });
  });

  it('shares the three pagination shapes', () => {
    const { schemas } = document.components;
    const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    expect(schemas.ConversationPage?.properties?.pagination).toMatchObject(reference('ItemsPagination'));
    expect(schemas.DeviceGroupPage?.properties?.pagination).toMatchObject(reference('GroupsPagination'));
    expect(schemas.NotificationPage?.allOf?.[0]).toEqual(reference('ListPagination'));
    const fields = (name: string): string =>
      Object.keys(document.components.schemas[name]?.properties ?? {}).join(' ');
    expect(fields('ItemsPagination')).toBe('total per_page current_page last_page has_more');
    expect(fields('GroupsPagination')).toBe('per_page current_page total total_pages');
    expect(fields('ListPagination')).toBe('total per_page current_page last_page');
  });

  it('includes the shared errors in every operation', () => {
    /** Requests of a media provider, which are authenticated only by their signature. */
    const isNotice = (name: string): boolean => name.includes('/webhooks/');
    const missing = ({ responses, security, requestBody, parameters = [] }: Operation): boolean => {
      const wanted = ['429', '500', '503'];
      const isPublic = security?.every((requirement) => Object.keys(requirement).length === 0) ?? false;
      if (!isPublic) wanted.push('401');
      if (requestBody || parameters.length > 0) wanted.push('422');
      if (requestBody) wanted.push('400', '413', '415');
      return wanted.some((status) => !(status in responses));
    };
    expect(namesOf((operation, name) => inApi(name) && !isNotice(name) && missing(operation))).toEqual([]);
  });

  it('declares integers as integers', () => {
    const fields = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      fieldsWithin(schema, name),
    );
    const numbers = fields.filter(([, { type }]) => [type].flat().includes('number'));
    // Ratios are not integers.
    expect(numbers.map(([place]) => place)).toEqual([
      'CallDayResponse.answer_rate',
      'CallFiguresResponse.answer_rate',
    ]);
  });

  it('lists fields in the order of the specification, with their constraints', () => {
    expect(document.components.schemas.ConversationResponse?.properties).toMatchObject({
      id: { type: 'integer', minimum: 1 },
      type: { type: 'string', enum: expect.arrayContaining(['single', 'group']) },
      member_count: { type: ['integer', 'null'], minimum: 0 },
      last_message_at: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$` },
      message_type: { type: ['string', 'null'], enum: expect.arrayContaining(['text', null]) },
    });
    expect(document.components.schemas.MessageResponse?.properties).toMatchObject({
      reply_to: {
        oneOf: [{ $ref: '#/components/schemas/QuoteResponse' }, { type: 'null' }],
      },
      mentions: { type: 'array', items: { type: 'integer', minimum: 1 } },
    });
    const fields = (name: string): string =>
      Object.keys(document.components.schemas[name]?.properties ?? {}).join(' ');
    expect(fields('DeviceGroupNodeResponse')).toBe(
      'id name description parent_id sort_order status children',
    );
    expect(fields('AcceptedCallResponse')).toBe(
      'call_id status channel_name app_id callee_uid rtc_token expire_at version',
    );
  });

  it('declares the fields of every object', () => {
    const empty = Object.entries(document.components.schemas).filter(
      ([, { type, properties }]) => type === 'object' && Object.keys(properties ?? {}).length === 0,
    );
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  it('declares the payload of every event type, and `resync`, with a discriminator', () => {
    const { UserEvent, CallAnsweredElsewhereEvent } = document.components.schemas;
    const { propertyName, mapping = {} } = UserEvent?.discriminator ?? {};
    expect(propertyName).toBe('type');
    expect(Object.keys(mapping)).toEqual([...EVENT_TYPES, 'resync']);
    expect(UserEvent?.oneOf?.map(({ $ref }) => $ref)).toEqual(Object.values(mapping));
    expect(mapping['call.answered_elsewhere']).toBe('#/components/schemas/CallAnsweredElsewhereEvent');
    expect(withoutWords(CallAnsweredElsewhereEvent)).toEqual({
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['call.answered_elsewhere'] },
        created_at: { type: 'string', format: 'date-time' },
        call: { $ref: '#/components/schemas/CallResponse' },
        terminal_id: { type: 'string' },
      },
      required: ['type', 'created_at', 'call', 'terminal_id'],
    });
  });

  it('uses the same event schemas for the stream and the poll', () => {
    const stream = document.paths['/api/events']?.get?.responses['200'];
    expect(stream?.content?.['text/event-stream']?.schema).toEqual({
      $ref: '#/components/schemas/UserEvent',
    });
    const { items } = document.components.schemas.PollResponse?.properties ?? {};
    const [event, cursor] = items?.items?.allOf ?? [];
    expect(event).toEqual({ oneOf: [{ $ref: '#/components/schemas/UserEvent' }] });
    expect(cursor).toMatchObject({ required: ['id'], properties: { id: { type: 'integer', minimum: 0 } } });
  });

  it('is strict enough to detect a wrong response', () => {
    const known = document as unknown as OpenApiDocument;
    const validator = new ResponseValidator(known);
    const list = operationsOf(known).find(({ name }) => name === 'GET /api/calls');
    if (list === undefined) throw new Error('There is no list of calls');
    const headers = { 'content-type': 'application/json', 'x-request-id': 'r', 'x-total-count': '0' };
    const pagination = { total: 0, per_page: 20, current_page: 1, last_page: 1, has_more: false };
    const data = { items: [] as object[], pagination };
    const problems = (body: object, more: object = {}): string[] =>
      validator.problemsOf(list, list, { status: 200, headers, text: JSON.stringify(body), ms: 1, ...more });
    const envelope = { code: 0, message: 'ok', data };
    expect(problems(envelope)).toEqual([]);
    expect(problems({ ...envelope, trace: '' })).toEqual([
      'the body must NOT have unevaluated properties (trace)',
    ]);
    expect(problems({ ...envelope, data: { ...data, pagination: { ...pagination, offset: 0 } } })).toEqual([
      '/data/pagination must NOT have unevaluated properties (offset)',
    ]);
    expect(problems({ ...envelope, data: { ...data, items: [{}] } })[0]).toMatch(
      /^\/data\/items\/0 must have/,
    );
    expect(problems({ ...envelope, code: 1 })).toEqual(['/code must be equal to constant']);
    expect(problems(envelope, { headers: { ...headers, 'x-total-count': undefined } })).toEqual([
      'no X-Total-Count',
    ]);
    expect(problems(envelope, { headers: { ...headers, etag: '"1"' } })).toEqual(['etag is not documented']);
    const error = { code: 401, message: '未授权', data: null };
    expect(problems(error, { status: 401 })).toEqual([]);
    expect(problems({ ...error, code: 403 }, { status: 401 })).toEqual(['code 403 instead of 401']);
    expect(problems(error, { status: 404 })).toEqual(['status 404 is not documented for GET /api/calls']);
  });

  it('contains only schemas that a validator compiles', () => {
    const ajv = new Ajv({
      strict: false,
      formats: { uri: true, 'date-time': true, int32: true, int64: true },
    });
    ajv.addSchema({ $id: 'document', ...document });
    for (const name of Object.keys(document.components.schemas)) {
      expect(ajv.getSchema(`document#/components/schemas/${name}`)).toBeDefined();
    }
  });
});
