import { createConfig, lintFromString } from '@redocly/openapi-core';
import { DOMAIN_EVENT_TYPES } from '../../src/outbox/domain-event-types';
import {
  type ApiDocument,
  builtDocument,
  type Operation,
  operationsIn,
  partOf,
  type Schema,
  withoutWords,
} from '../support/api-document';
import { FIRST_OPERATIONS, OPERATIONS_9_TO_18 } from '../support/operation-ids';

/** Maximum size of the description of the first operations, without descriptions and examples (API 16.4). */
const MAX_BYTES = 135_168;

type Node = Record<string, unknown>;

/** Rules for generators of Kotlin, Swift, Dart and others: names, types and size. */
describe('The OpenAPI document, by the rules for generators,', () => {
  let document: ApiDocument;
  let operations: [name: string, operation: Operation][];
  beforeAll(async () => {
    document = await builtDocument('webrtc');
    operations = operationsIn(document);
  });

  /** Returns the paths of the parts of the document for which the condition holds. */
  function placesWhere(condition: (node: Node) => boolean, part: unknown = document, place = ''): string[] {
    if (typeof part !== 'object' || part === null) return [];
    const below = Object.entries(part)
      // Values of the API are not schemas.
      .filter(([key]) => key !== 'example')
      .flatMap(([key, value]) => placesWhere(condition, value, `${place}/${key}`));
    return !Array.isArray(part) && condition(part as Node) ? [place, ...below] : below;
  }

  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ message, location: [at] }) => `${at?.pointer} ${message}`)).toEqual([]);
    const broken = { ...document, info: { title: 'Callboard' } };
    expect(await lintFromString({ source: JSON.stringify(broken), config })).not.toEqual([]);
  });

  it('names the schema of every JSON response', () => {
    const inline = operations.filter(([, { responses }]) =>
      Object.values(responses).some(({ content }) => {
        const schema = content?.['application/json']?.schema;
        return schema !== undefined && schema.$ref === undefined;
      }),
    );
    expect(inline.map(([name]) => name)).toEqual([]);
  });

  it('has no enum with one integer or with null alone, no `nullable`, and no `allOf` around one reference', () => {
    const isEnumOf = (node: Node, type: string): boolean =>
      Array.isArray(node.enum) && node.enum.length === 1 && typeof node.enum[0] === type;
    expect(placesWhere((node) => isEnumOf(node, 'number') || isEnumOf(node, 'object'))).toEqual([]);
    expect(placesWhere(({ nullable }) => nullable !== undefined)).toEqual([]);
    const isWrapper = ({ allOf }: Node): boolean => Array.isArray(allOf) && allOf.length === 1;
    expect(placesWhere(isWrapper)).toEqual([]);
  });

  it('has a discriminator in every choice between objects', () => {
    const isAmbiguous = ({ oneOf, anyOf, discriminator }: Node): boolean => {
      const objects = ((oneOf ?? anyOf ?? []) as Schema[]).filter(({ type }) => type !== 'null');
      return objects.length > 1 && discriminator === undefined;
    };
    expect(placesWhere(isAmbiguous)).toEqual([]);
  });

  it('has 64 bits for ids, and a format for every integer', () => {
    const isInteger = ({ type }: Node): boolean => [type].flat().includes('integer');
    const isConstant = (node: Node): boolean => node.const !== undefined;
    expect(placesWhere((node) => isInteger(node) && !isConstant(node) && !node.format)).toEqual([]);
    const short = placesWhere((node) => isInteger(node) && node.format === 'int32');
    expect(short.filter((place) => /\/(?:\w+_)?ids?(?:\/items)?$/.test(place))).toEqual([]);
    const { CallResponse, ConversationResponse } = document.components.schemas;
    expect(CallResponse?.properties?.call_id?.format).toBe('int64');
    expect(ConversationResponse?.properties?.unread_count?.format).toBe('int32');
    const [callId] = document.paths['/api/calls/{callId}/accept']?.post?.parameters ?? [];
    expect(callId?.schema.format).toBe('int64');
  });

  it('lists the codes of every error response, of which there is one schema', () => {
    const errors = operations.flatMap(([name, { responses }]) =>
      Object.entries(responses)
        .filter(
          ([status, { content }]) =>
            status >= '400' && content?.['application/json'] && name.includes(' /api/'),
        )
        .map(([status, response]) => ({ place: `${name} ${status}`, response })),
    );
    const odd = errors.filter(
      ({ response }) =>
        response.content?.['application/json']?.schema.$ref !== '#/components/schemas/ErrorResponse' ||
        (response['x-codes'] ?? []).length === 0,
    );
    expect(errors.length).toBeGreaterThan(20);
    expect(odd.map(({ place }) => place)).toEqual([]);
  });

  it('contains every webhook with the headers of its signature', () => {
    expect(Object.keys(document.webhooks)).toEqual([...DOMAIN_EVENT_TYPES]);
    const { parameters = [], requestBody } = document.webhooks['call.ended']?.post ?? {};
    expect(parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['webhook-id', 'header', true],
      ['webhook-timestamp', 'header', true],
      ['webhook-signature', 'header', true],
      ['traceparent', 'header', false],
    ]);
    expect(requestBody?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/CallEndedWebhook',
    });
  });

  it('describes the first operations in less than 132 KiB', () => {
    const part = JSON.stringify(withoutWords(partOf(document, FIRST_OPERATIONS)));
    expect(part).toContain('/api/calls/{callId}/accept');
    expect(part).toContain('"X-Pinned-Count"');
    expect(part).not.toContain('"example"');
    expect(Buffer.byteLength(part)).toBeLessThan(MAX_BYTES);
  });

  it('names operations like functions', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(ids.toSorted()).toEqual([...FIRST_OPERATIONS, ...OPERATIONS_9_TO_18].toSorted());
    expect(ids.filter((id) => !/^[a-z]+(?:[A-Z][a-z]+)+$/.test(id))).toEqual([]);
  });

  it('names schemas by one convention', () => {
    const names = Object.keys(document.components.schemas);
    const odd = names.filter(
      (name) =>
        !/^(?:[A-Z][a-z]+)+(?:Request|Response|Event|Pagination|Page|Envelope|Webhook|WebhookData)$/.test(
          name,
        ),
    );
    expect(odd).toEqual([]);
  });

  it('describes every tag, and has no empty one', () => {
    const used = new Set(operations.flatMap(([, { tags = [] }]) => tags));
    const described = document.tags
      .filter(({ description }) => description.length > 20)
      .map(({ name }) => name);
    // The built-in media provider sends no requests.
    expect(described.toSorted()).toEqual([...used, 'Media webhooks'].toSorted());
  });

  it('states its licence and server', () => {
    expect(document.info.license).toEqual({ name: 'MIT', url: 'https://opensource.org/license/mit' });
    expect(document.servers.map(({ url }) => url)).toEqual(['/']);
  });
});
