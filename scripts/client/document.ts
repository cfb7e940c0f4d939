/*
 * The OpenAPI document from which the client's types are generated: without the parts that the client handles
 * internally.
 */

export interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  [key: string]: unknown;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

interface Content {
  schema: Schema;
}

export interface Operation {
  operationId: string;
  summary?: string;
  tags: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; [kind: string]: unknown };
  [key: string]: unknown;
}

/** Headers set by the client or by the browser's cache. */
const OWN_HEADERS = new Set(['idempotency-key', 'last-event-id', 'if-none-match']);
/** Schemas of responses in the envelope, which the client unwraps, and of webhooks, which it does not receive. */
const LEFT_OUT = /Envelope$|^ErrorResponse$|^NothingResponse$|Webhook(?:Data)?$/;

/**
 * Whether the client gets a method for an operation: its response is JSON in the envelope. Streams, health and metrics are not,
 * and a form with a file has a method in the client that also reports its progress.
 */
export const isEnveloped = (path: string, { responses, requestBody }: Operation): boolean =>
  path.startsWith('/api/') &&
  responses['200']?.content?.['application/json'] !== undefined &&
  requestBody?.content['multipart/form-data'] === undefined;

/**
 * Returns the document with only the enveloped operations. Each keeps only its success response, whose schema becomes
 * that of `data`.
 * @throws {Error} if a success response has no envelope
 */
export function withoutEnvelope(document: ApiDocument): ApiDocument {
  const { webhooks: _, ...rest } = document;
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const kept = Object.entries(item)
      .filter(([, operation]) => isEnveloped(path, operation))
      .map(([method, operation]) => [method, plain(operation, document)] as const);
    return [path, Object.fromEntries(kept)] as const;
  });
  const schemas = Object.entries(document.components.schemas).filter(([name]) => !LEFT_OUT.test(name));
  return inOneOrder({
    ...rest,
    paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)),
    components: { schemas: Object.fromEntries(schemas) },
    security: [],
  });
}

/**
 * Sorts the values of every enum. The compiler lists the members of a union type in the order in which it encountered
 * them, which varies.
 */
function inOneOrder(document: ApiDocument): ApiDocument {
  const text = JSON.stringify(document, (key, value: unknown) =>
    key === 'enum' && Array.isArray(value)
      ? value.toSorted((a, b) => String(a).localeCompare(String(b), 'en'))
      : value,
  );
  return JSON.parse(text) as ApiDocument;
}

function plain(
  { security: _security, ...operation }: Operation,
  { components }: Pick<ApiDocument, 'components'>,
): Operation {
  const success = operation.responses['200']?.content?.['application/json']?.schema;
  const parameters = operation.parameters?.filter(
    ({ name, in: place }) => place !== 'header' || !OWN_HEADERS.has(name.toLowerCase()),
  );
  const envelope = components.schemas[success?.$ref?.split('/').at(-1) ?? ''];
  const schema = envelope?.properties?.data;
  if (schema === undefined) throw new Error(`The response of ${operation.operationId} has no envelope`);
  const answer = { description: 'Success', content: { 'application/json': { schema } } };
  return { ...operation, ...fileBodyOf(operation), parameters, responses: { '200': answer } };
}

/** Types a file body as text or binary, so that callers may pass bytes in any encoding. */
function fileBodyOf({ requestBody }: Operation): Pick<Operation, 'requestBody'> {
  const file = requestBody?.content['text/csv'];
  if (requestBody === undefined || file === undefined) return {};
  const { description } = file.schema;
  const oneOf = [{ type: 'string' }, { type: 'string', format: 'binary' }];
  return { requestBody: { ...requestBody, content: { 'text/csv': { schema: { description, oneOf } } } } };
}
