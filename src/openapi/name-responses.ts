import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf, type Reference, type Schema, type SchemaObject } from './document-types';
import { referenceTo } from './envelope-schemas';

type Schemas = Record<string, Schema>;

const JSON_TYPE = 'application/json';

/**
 * Gives every JSON response a named schema, because generators derive class names from it: `CallEnvelope` for
 * one call, `CallPageEnvelope` and `CallPage` for a page of calls, `GetConfigEnvelope` for data without a class,
 * `GetReadinessResponse` for a response without the envelope.
 * @throws {Error} if two different schemas would have the same name
 */
export function nameResponses(document: OpenAPIObject): OpenAPIObject {
  const schemas: Schemas = { ...document.components?.schemas };
  for (const [, { operationId = '', responses }] of operationsOf(document)) {
    for (const response of Object.values(responses)) {
      const content = response && !('$ref' in response) ? response.content?.[JSON_TYPE] : undefined;
      if (content?.schema === undefined || '$ref' in content.schema) continue;
      content.schema = named(content.schema, capitalised(operationId), schemas);
    }
  }
  return { ...document, components: { ...document.components, schemas } };
}

/** Adds the schema of a response to the schemas. Returns a reference to it. */
function named(schema: SchemaObject, operation: string, schemas: Schemas): Reference {
  const data = schema.properties?.['data'];
  if (data === undefined) return add(`${operation}Response`, schema, schemas);
  const name = nameOfData(data) ?? operation;
  const reference = isPage(data) ? add(name, data, schemas) : data;
  return add(
    `${name}Envelope`,
    { ...schema, properties: { ...schema.properties, data: reference } },
    schemas,
  );
}

function add(name: string, schema: Schema, schemas: Schemas): Reference {
  const existing = schemas[name];
  if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(schema))
    throw new Error(`Two different schemas have the name ${name}`);
  schemas[name] = schema;
  return referenceTo(name);
}

/** Returns the name of a `data` by the class of its objects; undefined if it has none. */
function nameOfData(data: Schema): string | undefined {
  if ('$ref' in data)
    return data.$ref
      .split('/')
      .at(-1)
      ?.replace(/Response$/, '');
  const list = itemsOf(data);
  const name = nameOfData(list?.items ?? data.items ?? data.anyOf?.[0] ?? { $ref: '' });
  if (!name) return undefined;
  if (list !== undefined) return `${name}Page`;
  return data.items === undefined ? `${name}OrNull` : `${name}List`;
}

/** Returns the list of a page: `items` beside `pagination`, or `list` beside the fields of `ListPagination`. */
function itemsOf({ properties, allOf }: SchemaObject): SchemaObject | undefined {
  const list = properties?.['pagination'] ? properties['items'] : propertiesOf(allOf?.[1])?.['list'];
  return list === undefined || '$ref' in list ? undefined : list;
}

const propertiesOf = (schema: Schema | undefined): SchemaObject['properties'] =>
  schema === undefined || '$ref' in schema ? undefined : schema.properties;

const isPage = (data: Schema): boolean => !('$ref' in data) && itemsOf(data) !== undefined;

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
