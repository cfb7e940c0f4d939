import { type OpenApiDocument, operationsOf, type Schema } from './document';
import type { ReceivedResponse } from './exchange';
import { ResponseValidator } from './response-validator';

const named = (name: string) => ({ $ref: `#/components/headers/${name}` });
const json = (schema: Schema) => ({ 'application/json': { schema } });

const DOCUMENT: OpenApiDocument = {
  paths: {
    '/things/{id}': {
      get: {
        responses: {
          200: {
            headers: { 'X-Request-Id': named('X-Request-Id') },
            content: json({ $ref: '#/components/schemas/Thing' }),
          },
          304: { headers: { 'X-Request-Id': named('X-Request-Id'), ETag: named('ETag') } },
          410: { $ref: '#/components/responses/ThingGone' },
        },
      },
    },
    '/pictures/{id}': {
      get: {
        responses: {
          200: { headers: { 'X-Request-Id': named('X-Request-Id') }, content: { 'image/*': { schema: {} } } },
        },
      },
    },
    '/things': {
      get: {
        responses: {
          200: {
            headers: { 'X-Request-Id': named('X-Request-Id') },
            content: {
              ...json({
                allOf: [
                  { $ref: '#/components/schemas/Envelope' },
                  {
                    type: 'object',
                    required: ['data'],
                    properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
                  },
                ],
              }),
              'text/event-stream': { schema: { $ref: '#/components/schemas/ThingEvent' } },
            },
          },
        },
      },
    },
  },
  components: {
    headers: { 'X-Request-Id': { required: true }, ETag: { required: true }, 'Retry-After': {} },
    responses: {
      ThingGone: {
        headers: { 'X-Request-Id': named('X-Request-Id'), 'Retry-After': named('Retry-After') },
        'x-codes': [410],
        content: json({ $ref: '#/components/schemas/ErrorResponse' }),
      },
    },
    schemas: {
      Envelope: {
        type: 'object',
        required: ['code', 'data'],
        properties: { code: { type: 'integer', enum: [0] }, data: {} },
      },
      ErrorResponse: {
        type: 'object',
        required: ['code', 'data'],
        properties: { code: { type: 'integer' }, data: { type: 'null' } },
      },
      ThingEvent: {
        oneOf: ['made', 'broken'].map((type) => ({
          type: 'object',
          required: ['type', 'thing'],
          properties: {
            type: { type: 'string', enum: [type] },
            thing: { $ref: '#/components/schemas/Thing' },
          },
        })),
      },
      Thing: {
        type: 'object',
        required: ['id', 'made_at', 'owner'],
        properties: {
          id: { type: 'integer', minimum: 1 },
          made_at: { type: 'string', format: 'date-time' },
          owner: { type: ['string', 'null'], enum: ['alice', null] },
          more: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
};

const THING = { id: 7, made_at: '2026-01-31T08:00:00.000Z', owner: null };

describe('Response validator', () => {
  const validator = new ResponseValidator(DOCUMENT);
  const [one, picture, all] = operationsOf(DOCUMENT);
  const verdict = (
    body: unknown,
    more: Partial<ReceivedResponse> = {},
    method = 'GET',
    operation = one,
  ): string[] => {
    if (operation === undefined) throw new Error('no operation');
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r' };
    const response = { status: 200, headers, text: JSON.stringify(body), ms: 1, ...more };
    return validator.problemsOf(operation, { method }, response);
  };

  it('accepts documented responses', () => {
    expect(verdict(THING)).toEqual([]);
    expect(verdict({ ...THING, owner: 'alice', more: { anything: [1] } })).toEqual([]);
    const etag = { 'x-request-id': 'r', etag: '"1"' };
    expect(verdict(null, { status: 304, text: '', headers: etag })).toEqual([]);
    expect(verdict(null, { text: '' }, 'HEAD')).toEqual([]);
  });

  it.each([
    ['a field is missing', { id: 7, owner: null }, "the body must have required property 'made_at'"],
    [
      'a field is not described',
      { ...THING, secret: 1 },
      'the body must NOT have unevaluated properties (secret)',
    ],
    ['a type is wrong', { ...THING, id: '7' }, '/id must be integer'],
    ['an integer is too small', { ...THING, id: 0 }, '/id must be >= 1'],
    ['null is not allowed', { ...THING, made_at: null }, '/made_at must be string'],
    [
      'a date-time has no milliseconds',
      { ...THING, made_at: '2026-01-31T08:00:00Z' },
      '/made_at must match format "date-time"',
    ],
    [
      'a value is not in its enum',
      { ...THING, owner: 'bob' },
      '/owner must be equal to one of the allowed values',
    ],
  ])('detects that %s', (_, body, problem) => {
    expect(verdict(body)).toEqual([problem]);
  });

  it.each<[string, Partial<ReceivedResponse>, string[]]>([
    ['an undocumented status', { status: 404 }, ['status 404 is not documented for GET /things/{id}']],
    ['a defect', { status: 500 }, ['status 500', 'status 500 is not documented for GET /things/{id}']],
    ['no X-Request-Id', { headers: { 'content-type': 'application/json' } }, ['no X-Request-Id']],
    [
      'another content type',
      { headers: { 'content-type': 'text/html', 'x-request-id': 'r' } },
      ['content type text/html instead of application/json'],
    ],
    ['a body that is not JSON', { text: '{' }, ['a body that is not JSON']],
    ['a body with a 304', { status: 304 }, ['no ETag', 'a body where none is documented']],
    [
      'a header that is not documented',
      { headers: { 'content-type': 'application/json', 'x-request-id': 'r', etag: '"1"' } },
      ['etag is not documented'],
    ],
  ])('detects %s', (_, response, problems) => {
    expect(verdict(THING, response)).toEqual(problems);
  });

  it('accepts bytes of a type in a documented range', () => {
    const bytes = (type: string): string[] =>
      verdict(null, { headers: { 'content-type': type, 'x-request-id': 'r' }, text: '\0' }, 'GET', picture);
    expect(bytes('image/png')).toEqual([]);
    expect(bytes('text/html')).toEqual(['content type text/html instead of image/*']);
  });

  it('resolves shared error responses', () => {
    const gone = (body: object): string[] => verdict(body, { status: 410 });
    expect(gone({ code: 410, data: null })).toEqual([]);
    expect(gone({ code: 404, data: null })).toEqual(['code 404 instead of 410']);
    expect(gone({ code: 410, data: {} })).toEqual(['/data must be null']);
    expect(gone({ code: 410, data: null, stack: '' })).toEqual([
      'the body must NOT have unevaluated properties (stack)',
    ]);
  });

  it('combines the schema of an envelope with its data', () => {
    const list = (body: object): string[] => verdict(body, {}, 'GET', all);
    expect(list({ code: 0, data: [THING] })).toEqual([]);
    expect(list({ code: 0, data: [THING], more: 1 })).toEqual([
      'the body must NOT have unevaluated properties (more)',
    ]);
    expect(list({ code: 0, data: [{ ...THING, secret: 1 }] })).toEqual([
      '/data/0 must NOT have unevaluated properties (secret)',
    ]);
    expect(list({ code: 1, data: [THING] })).toEqual(['/code must be equal to one of the allowed values']);
    expect(list({ code: 0, data: null })).toEqual(['/data must be array']);
  });

  it('parses the frames of a stream', () => {
    const headers = { 'content-type': 'text/event-stream', 'x-request-id': 'r' };
    const stream = (event: object, rest = ''): string[] =>
      verdict(
        null,
        { headers, text: `: hello\n\nid: 1\ndata: ${JSON.stringify(event)}\n\n${rest}` },
        'GET',
        all,
      );
    expect(stream({ type: 'made', thing: THING })).toEqual([]);
    expect(stream({ type: 'made', thing: THING }, 'data: {"type"')).toEqual([]);
    expect(stream({ type: 'made', thing: { ...THING, more: { text: 'a\u2028b' } } })).toEqual([]);
    expect(stream({ type: 'made', thing: THING, secret: 1 })).toContain(
      'the body must NOT have unevaluated properties (secret)',
    );
    expect(stream({ type: 'lost', thing: THING })).toContain(
      '/type must be equal to one of the allowed values',
    );
    expect(verdict(null, { headers, text: 'id: 1\n\n' }, 'GET', all)).toEqual([
      'a stream that does not begin with a comment',
    ]);
  });

  it('requires errors to be envelopes for raw requests', () => {
    const problems = (status: number, text: string): string[] =>
      validator.problemsOfRaw(Buffer.from('GET / HTTP/1.1'), {
        status,
        text,
        ms: 1,
        headers: { 'x-request-id': 'r' },
      });
    expect(problems(404, '{"code":404,"message":"接口不存在","data":null}')).toEqual([]);
    expect(problems(404, '')).toEqual(['404 without an envelope']);
    expect(problems(404, '{"code":405,"message":"x","data":null}')).toEqual(['404 without an envelope']);
    expect(problems(500, '{"code":500,"message":"x","data":null}')).toEqual(['status 500']);
  });
});
