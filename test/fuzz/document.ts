/* The OpenAPI document as the fuzzer reads it: a list of operations, and where to find what each answers. */

export interface Schema {
  $ref?: string;
  type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  enum?: unknown[];
  format?: string;
  nullable?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
}

type Content = Record<string, { schema?: Schema }>;

export interface OpenApiDocument {
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, Schema> };
}

interface RawOperation {
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

/** A method on a path, with what it takes and what it may answer. */
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
  /** Status → the documented media type; undefined where no body is documented. */
  responses: Map<number, string | undefined>;
}

/** Every operation of a document, references in bodies resolved. */
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
  return {
    name: `${method} ${path}`,
    method,
    path,
    pathNames: Array.from(path.matchAll(/\{(\w+)\}/g), ([, id = '']) => id),
    query: parametersIn('query'),
    headers: parametersIn('header'),
    body: body && resolved(document, body),
    responses: new Map(
      Object.entries(raw.responses).map(([status, { content }]) => [
        Number(status),
        Object.keys(content ?? {})[0],
      ]),
    ),
  };
}

function resolved(document: OpenApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return (name !== undefined && document.components.schemas[name]) || schema;
}
