/* The OpenAPI document for the fuzzer: a list of operations with their response schemas. */

type SchemaType = 'string' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

export interface Schema {
  $ref?: string;
  type?: SchemaType | [SchemaType, 'null'];
  enum?: unknown[];
  format?: string;
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  example?: string;
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
}

type Content = Record<string, { schema?: Schema }>;

interface RawResponse {
  $ref?: string;
  'x-codes'?: number[];
  content?: Content;
  headers?: Record<string, Header>;
}

interface Header {
  $ref?: string;
  required?: boolean;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, RawOperation>>;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, RawResponse>;
    headers?: Record<string, Header>;
  };
}

interface RawOperation {
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, RawResponse>;
}

/** The documented response of an operation with one HTTP status. */
export interface DocumentedResponse {
  /** Error codes; undefined if none are listed. */
  codes?: number[];
  /** Path of the response in the document. */
  at: string[];
  /** Media types; empty without a body. */
  types: string[];
  /** Listed headers, in lower case. */
  headers: Set<string>;
  /** Headers that every such response has. */
  required: string[];
}

/** A method on a path with its parameters and possible responses. */
export interface Operation {
  /** `POST /api/calls/{callId}/accept` */
  name: string;
  method: string;
  path: string;
  /** In the order of the path. */
  pathNames: string[];
  query: Record<string, Schema>;
  headers: Record<string, Schema>;
  body?: Schema;
  /** Header line of the CSV file that the operation takes instead of JSON: `serial_no,name`. */
  csv?: string;
  /** Fields of the form that the operation takes instead of JSON. */
  form?: Schema;
  /** Whether an API key may be allowed. */
  takesKeys: boolean;
  /** By HTTP status. */
  responses: Map<number, DocumentedResponse>;
}

/** Returns every operation of a document, with resolved references in bodies. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => read(document, path, method.toUpperCase(), operation)),
  );
}

function read(document: OpenApiDocument, path: string, method: string, raw: RawOperation): Operation {
  const parametersIn = (place: 'query' | 'header'): Record<string, Schema> =>
    Object.fromEntries(
      (raw.parameters ?? []).filter((given) => given.in === place).map(({ name, schema }) => [name, schema]),
    );
  const body = raw.requestBody?.content['application/json']?.schema;
  const file = raw.requestBody?.content['text/csv']?.schema?.example;
  return {
    name: `${method} ${path}`,
    method,
    path,
    pathNames: Array.from(path.matchAll(/\{(\w+)\}/g), ([, id = '']) => id),
    query: parametersIn('query'),
    headers: parametersIn('header'),
    body: body && resolved(document, body),
    csv: file?.split('\n')[0],
    form: raw.requestBody?.content['multipart/form-data']?.schema,
    takesKeys: raw.security?.some((requirement) => 'key' in requirement) === true,
    responses: new Map(
      Object.entries(raw.responses).map(([status, response]) => [
        Number(status),
        readResponse(document, ['paths', path, method.toLowerCase(), 'responses', status], response),
      ]),
    ),
  };
}

function readResponse(document: OpenApiDocument, at: string[], response: RawResponse): DocumentedResponse {
  if (response.$ref !== undefined) {
    const name = lastOf(response.$ref);
    const shared = document.components.responses?.[name];
    if (shared === undefined) throw new Error(`The document has no ${response.$ref}`);
    return readResponse(document, ['components', 'responses', name], shared);
  }
  const { content = {}, headers = {} } = response;
  const isRequired = ({ $ref, required }: Header): boolean =>
    ($ref === undefined ? required : document.components.headers?.[lastOf($ref)]?.required) === true;
  const names = Object.keys(headers);
  return {
    at,
    codes: response['x-codes'],
    types: Object.keys(content),
    headers: new Set(names.map((name) => name.toLowerCase())),
    required: Object.entries(headers).flatMap(([name, header]) => (isRequired(header) ? [name] : [])),
  };
}

const lastOf = (reference: string): string => reference.split('/').at(-1) ?? '';

/** Resolves the reference of a schema, and those of the elements of its lists. */
function resolved(document: OpenApiDocument, schema: Schema): Schema {
  const target = (schema.$ref !== undefined && document.components.schemas[lastOf(schema.$ref)]) || schema;
  const fields = Object.entries(target.properties ?? {}).map(([name, field]): [string, Schema] => [
    name,
    field.items?.$ref === undefined ? field : { ...field, items: resolved(document, field.items) },
  ]);
  return target.properties ? { ...target, properties: Object.fromEntries(fields) } : target;
}
