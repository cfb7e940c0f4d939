import Ajv from 'ajv';
import {
  type ApiDocument,
  builtDocument,
  fieldsWithin,
  nameOf,
  type Operation,
  operationsIn,
  resolved,
  type Schema,
} from '../support/api-document';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Descriptions and examples for people and generators. */
describe.each(['webrtc', 'agora', 'livekit'] as const)(
  'The descriptions of the OpenAPI document, with %s',
  (provider) => {
    let document: ApiDocument;
    let operations: [name: string, operation: Operation][];
    let ajv: Ajv;
    beforeAll(async () => {
      document = await builtDocument(provider);
      operations = operationsIn(document);
      const uri = (text: string): boolean => URL.canParse(text);
      ajv = new Ajv({ strict: false, formats: { uri, 'date-time': MOMENT, int32: true, int64: true } });
      ajv.addSchema({ $id: 'document', ...document });
    });

    const allFields = (): [place: string, field: Schema][] =>
      Object.entries(document.components.schemas).flatMap(([name, schema]) => fieldsWithin(schema, name));

    /** Fields that are described at a body instead of in a named schema. */
    const fieldsInline = (): [place: string, field: Schema][] =>
      operations.flatMap(([name, { requestBody, responses }]) => {
        const replies = Object.values(responses).flatMap(({ content = {} }) => Object.values(content));
        const bodies = [...Object.values(requestBody?.content ?? {}), ...replies];
        return bodies.flatMap(({ schema }) => fieldsWithin(schema, name));
      });

    /** The result of an operation or the payload of a webhook, whose own schema describes it. */
    const isData = (place: string): boolean => /(?:Envelope|Webhook)\.data$/.test(place);
    const isReference = ({ $ref }: Schema): boolean => $ref !== undefined;

    it('cover every field, with an example', () => {
      const poor = allFields().filter(
        ([, { description, example }]) => description === undefined || example === undefined,
      );
      expect(poor.map(([place]) => place).filter((place) => !isData(place))).toEqual([]);
    });

    it('cover fields outside named schemas', () => {
      const poor = fieldsInline().filter(
        ([place, field]) => field.description === undefined && !isReference(field) && !isData(place),
      );
      expect(poor.map(([place]) => place)).toEqual([]);
    });

    it('cover every parameter, with an example', () => {
      const poor = operations.flatMap(([name, { parameters = [] }]) =>
        parameters
          .filter(({ description, example }) => description === undefined || example === undefined)
          .map((parameter) => `${name}: ${parameter.name}`),
      );
      expect(poor).toEqual([]);
    });

    it('say more than the name', () => {
      const catalogue = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]+/g, '');
      const idle = allFields().filter(([place, { description = '' }]) =>
        [catalogue(place.split('.').at(-1) ?? ''), ''].includes(
          catalogue(description).replace(/^(a|an|the)/, ''),
        ),
      );
      expect(idle.map(([place]) => place).filter((place) => !isData(place))).toEqual([]);
    });

    it('distinguish fields of the same name', () => {
      const { pinned, muted, hidden } =
        document.components.schemas.ConversationUpdatedEvent?.properties ?? {};
      expect([pinned, muted, hidden].map((field) => field?.description)).toEqual([
        'Whether the user keeps the conversation first in the list.',
        'Whether the conversation is left out of the number on the badge; until `mute_until`, where that is given.',
        'Whether the conversation is left out of the list until its next message.',
      ]);
    });

    const problemsOf = (schema: Schema, example: unknown): string | undefined => {
      // The document is registered as `document`, which its own references do not name.
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as Schema;
      return ajv.validate(absolute, example) ? undefined : ajv.errorsText();
    };

    it('have examples that match their schemas', () => {
      const fields = allFields().filter(([, { example }]) => example !== undefined);
      const bodies = Object.entries(document.components.schemas).filter(
        ([, { example }]) => example !== undefined,
      );
      const parameters = operations.flatMap(([name, { parameters: all = [] }]) =>
        all.map(({ name: parameter, schema, example }): [string, Schema] => [
          `${name}: ${parameter}`,
          { ...schema, example },
        ]),
      );
      expect([fields.length, bodies.length, parameters.length].every((count) => count > 10)).toBe(true);
      const wrong = [...fields, ...bodies, ...parameters].flatMap(([place, { example, ...schema }]) => {
        const problem = problemsOf(schema, example);
        return problem === undefined ? [] : [`${place}: ${problem}`];
      });
      expect(wrong).toEqual([]);
    });

    it('have a complete example for every request and every shared error', () => {
      const requests = Object.entries(document.components.schemas).filter(([name]) =>
        name.endsWith('Request'),
      );
      expect(requests.filter(([, { example }]) => typeof example !== 'object').map(([name]) => name)).toEqual(
        [],
      );
      for (const { content = {} } of Object.values(document.components.responses)) {
        const { schema = {}, example } = content['application/json'] ?? {};
        expect(problemsOf(schema, example)).toBeUndefined();
      }
    });

    it('list and describe the headers of every response', () => {
      const bare = operations.flatMap(([name, { responses }]) =>
        Object.entries(responses)
          .filter(([, response]) => !('X-Request-Id' in (resolved(document, response).headers ?? {})))
          .map(([status]) => `${name} ${status}`),
      );
      expect(bare).toEqual([]);
      const used = operations.flatMap(([, { responses }]) =>
        Object.values(responses).flatMap((response) =>
          Object.values(resolved(document, response).headers ?? {}),
        ),
      );
      const unknown = used.filter(({ $ref }) => document.components.headers[nameOf($ref)] === undefined);
      expect(unknown).toEqual([]);
      for (const { description, example, schema } of Object.values(document.components.headers)) {
        expect(description.length).toBeGreaterThan(20);
        expect(problemsOf(schema, example)).toBeUndefined();
      }
    });

    it.each([
      ['GET /api/messages/conversations', '200', 'X-Request-Id X-Total-Count X-Event-Cursor X-Pinned-Count'],
      ['GET /api/calls', '200', 'X-Request-Id X-Total-Count'],
      ['GET /api/calls/active', '200', 'X-Request-Id X-Event-Cursor'],
      ['GET /api/notifications/unread-count', '200', 'X-Request-Id X-Event-Cursor'],
      ['GET /api/admin/device-groups/tree', '200', 'X-Request-Id ETag Cache-Control'],
      ['GET /api/admin/device-groups/tree', '304', 'X-Request-Id ETag Cache-Control'],
      ['GET /api/events', '200', 'X-Request-Id Cache-Control'],
      ['POST /api/auth/login', '200', 'X-Request-Id Cache-Control Set-Cookie'],
      ['GET /api/calls', '429', 'X-Request-Id Retry-After'],
      ['GET /api/calls', '503', 'X-Request-Id Retry-After'],
      ['GET /api/calls', '401', 'X-Request-Id'],
      ['GET /health/ready', '503', 'X-Request-Id'],
      ['GET /metrics', '200', 'X-Request-Id ETag Cache-Control'],
    ])('%s %s carries %s', (name, status, headers) => {
      const operation = operations.find(([one]) => one === name)?.[1];
      const response = operation?.responses[status] ?? {};
      expect(Object.keys(resolved(document, response).headers ?? {}).join(' ')).toBe(headers);
    });
  },
);
