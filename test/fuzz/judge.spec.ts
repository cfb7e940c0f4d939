import { type OpenApiDocument, operationsOf } from './document';
import type { Answer } from './exchange';
import { Judge } from './judge';

const DOCUMENT: OpenApiDocument = {
  paths: {
    '/things/{id}': {
      get: {
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          304: {},
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['id', 'made_at', 'owner'],
        properties: {
          id: { type: 'integer', minimum: 1 },
          made_at: { type: 'string', format: 'date-time' },
          owner: { type: 'string', nullable: true, enum: ['alice', null] },
          more: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
};

const THING = { id: 7, made_at: '2026-01-31T08:00:00.000Z', owner: null };

describe('Judge', () => {
  const judge = new Judge(DOCUMENT, 2_000);
  const [operation] = operationsOf(DOCUMENT);
  const verdict = (body: unknown, more: Partial<Answer> = {}, method = 'GET'): string[] => {
    if (operation === undefined) throw new Error('no operation');
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r' };
    const answer = { status: 200, headers, text: JSON.stringify(body), ms: 1, ...more };
    return judge.problemsOf(operation, { method }, answer);
  };

  it('finds nothing wrong with what is documented', () => {
    expect(verdict(THING)).toEqual([]);
    expect(verdict({ ...THING, owner: 'alice', more: { anything: [1] } })).toEqual([]);
    expect(verdict(null, { status: 304, text: '' })).toEqual([]);
    expect(verdict(null, { text: '' }, 'HEAD')).toEqual([]);
  });

  it.each([
    ['a field is missing', { id: 7, owner: null }, "the body must have required property 'made_at'"],
    [
      'a field is not described',
      { ...THING, secret: 1 },
      'the body must NOT have additional properties (secret)',
    ],
    ['a type is wrong', { ...THING, id: '7' }, '/id must be integer'],
    ['an integer is too small', { ...THING, id: 0 }, '/id must be >= 1'],
    ['null is not allowed', { ...THING, made_at: null }, '/made_at must be string'],
    [
      'a moment has no milliseconds',
      { ...THING, made_at: '2026-01-31T08:00:00Z' },
      '/made_at must match format "date-time"',
    ],
    [
      'a value is not of its set',
      { ...THING, owner: 'bob' },
      '/owner must be equal to one of the allowed values',
    ],
  ])('notices that %s', (_, body, problem) => {
    expect(verdict(body)).toEqual([problem]);
  });

  it.each<[string, Partial<Answer>, string[]]>([
    ['an undocumented status', { status: 404 }, ['status 404 is not documented for GET /things/{id}']],
    ['a defect', { status: 500 }, ['status 500', 'status 500 is not documented for GET /things/{id}']],
    ['an answer that took too long', { ms: 2_001 }, ['took 2001 ms']],
    ['no X-Request-Id', { headers: { 'content-type': 'application/json' } }, ['no X-Request-Id']],
    [
      'another content type',
      { headers: { 'content-type': 'text/html', 'x-request-id': 'r' } },
      ['content type text/html instead of application/json'],
    ],
    ['a body that is not JSON', { text: '{' }, ['a body that is not JSON']],
    ['a body with a 304', { status: 304 }, ['a body where none is documented']],
  ])('notices %s', (_, answer, problems) => {
    expect(verdict(THING, answer)).toEqual(problems);
  });

  it('asks of answers to odd bytes that errors are envelopes', () => {
    const problems = (status: number, text: string): string[] =>
      judge.problemsOfRaw(Buffer.from('GET / HTTP/1.1'), {
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
