import { ServiceProcess } from './service-process';

/* Types of the OpenAPI document as its tests read it. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  description?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface Answer {
  $ref?: string;
  description?: string;
  'x-codes'?: number[];
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

export interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  security?: object[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: Parameter[];
  responses: Record<string, Answer>;
}

export interface ApiDocument {
  openapi: string;
  info: { version: string; license?: { name: string; url: string } };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Answer>;
    headers: Record<string, { description: string; required: boolean; schema: Schema; example: unknown }>;
  };
}

export const documentOf = async (url: string): Promise<ApiDocument> =>
  (await (await fetch(`${url}/docs-json`)).json()) as ApiDocument;

/** Documents by media provider. The files of a suite share them. */
const documents = new Map<string, Promise<ApiDocument>>();

/** Returns the document of the built service with a media provider. */
export function builtDocument(provider: 'webrtc' | 'agora' | 'livekit'): Promise<ApiDocument> {
  const document = documents.get(provider) ?? readDocument(provider);
  documents.set(provider, document);
  return document;
}

async function readDocument(provider: string): Promise<ApiDocument> {
  const service = await ServiceProcess.start('sqlite::memory:', { MEDIA_PROVIDER: provider });
  try {
    return await documentOf(service.url);
  } finally {
    await service.kill();
  }
}

/** Returns every operation with its name, such as `GET /api/calls`. */
export const operationsIn = ({ paths }: ApiDocument): [name: string, operation: Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

/** Returns the last part of a reference. */
export const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';

/** Resolves a response that is a reference. */
export const resolved = ({ components }: ApiDocument, response: Answer): Answer =>
  (response.$ref !== undefined && components.responses[nameOf(response.$ref)]) || response;

/** Returns every inline field of a schema, at any depth, with its path. */
export function fieldsWithin(schema: Schema, place: string): [place: string, field: Schema][] {
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, Schema][] => [
      [`${place}.${name}`, field],
      ...fieldsWithin(field, `${place}.${name}`),
    ]),
    ...(schema.items ? fieldsWithin(schema.items, `${place}[]`) : []),
    ...parts.flatMap((part) => fieldsWithin(part, place)),
  ];
}

/** Returns a copy without descriptions and examples. */
export function withoutWords(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutWords);
  if (typeof part !== 'object' || part === null) return part;
  const isWords = ([key, value]: [string, unknown]): boolean =>
    // A field may be named `description` or `example`: its value is then a schema, not a text.
    (key === 'description' && typeof value === 'string') || key === 'example' || key === 'examples';
  return Object.fromEntries(
    Object.entries(part)
      .filter((entry) => !isWords(entry))
      .map(([key, value]) => [key, withoutWords(value)]),
  );
}

/** Returns the document with only these operations and the schemas they refer to. */
export function partOf(document: ApiDocument, ids: readonly string[]): object {
  const paths = Object.entries(document.paths)
    .map(([path, item]) => {
      const kept = Object.entries(item).filter(([, { operationId }]) => ids.includes(operationId));
      return [path, Object.fromEntries(kept)] as const;
    })
    .filter(([, item]) => Object.keys(item).length > 0);
  const part = { ...document, webhooks: {}, paths: Object.fromEntries(paths) };
  const reached = reachable(document, part.paths);
  const components = Object.entries(document.components).map(([kind, named]) => {
    const kept = Object.entries(named).filter(([name]) => reached.has(`#/components/${kind}/${name}`));
    return [kind, kind === 'securitySchemes' ? named : Object.fromEntries(kept)] as const;
  });
  return { ...part, components: Object.fromEntries(components) };
}

function reachable(document: ApiDocument, from: unknown, reached = new Set<string>()): Set<string> {
  for (const [, reference = ''] of JSON.stringify(from).matchAll(/"(#\/components\/[^"]+)"/g)) {
    if (reached.has(reference)) continue;
    reached.add(reference);
    const [, , kind = '', name = ''] = reference.split('/');
    const named = document.components[kind as keyof ApiDocument['components']] as Record<string, unknown>;
    reachable(document, named[name], reached);
  }
  return reached;
}
