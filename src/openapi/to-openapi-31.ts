import type { OpenAPIObject } from '@nestjs/swagger';

/** A part of a document. */
export type Json = undefined | null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = Record<string, Json>;

/** Keywords whose value is a schema, and those with a list of schemas. */
const SCHEMA = new Set(['items', 'additionalProperties']);
const LIST = new Set(['allOf', 'oneOf', 'anyOf']);
/** Keywords with values of the API, not with parts of the document. */
const VALUES = new Set(['example', 'examples', 'default', 'enum']);
/** Keywords that say nothing about the value. */
const ANNOTATIONS = new Set(['allOf', 'description', 'example', 'default', 'deprecated']);

/** Names of integers that exceed 32 bits on a busy service. Others are counts, durations and codes. */
const LONG =
  /^(id|after|before|version|rev|size|bytes|signal|mentions)$|_(id|ids|after|before|bytes)$|Id$|-Cursor$/;
const MAX_INT32 = 2_147_483_647;

/**
 * Converts a document of OpenAPI 3.0, as @nestjs/swagger describes the DTOs, to 3.1: `nullable` becomes the type `null`,
 * an `allOf` around one reference becomes the reference, an integer with one value a `const`, and integers get a format.
 */
export function toOpenApi31(document: OpenAPIObject): OpenAPIObject {
  return { ...(part(document as unknown as Json) as unknown as OpenAPIObject), openapi: '3.1.0' };
}

/** Converts the schemas within any part of a document; `key` is its name there. */
function part(value: Json, key = ''): Json {
  if (Array.isArray(value)) return value.map((one) => part(one));
  if (typeof value !== 'object' || value === null) return value;
  // A parameter states its name; a header is listed under it.
  const name = typeof value['name'] === 'string' ? value['name'] : key;
  return mapped(value, (child, within) => {
    if (VALUES.has(within)) return child;
    if (within === 'schema') return schemaOf(child, name);
    return within === 'schemas' ? mapped(child as JsonObject, schemaOf) : part(child, within);
  });
}

/** Converts a schema. Its name is that of the field or parameter. */
function schemaOf(value: Json, name: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { nullable, ...schema } = mapped(value, (child, key) => {
    if (SCHEMA.has(key)) return schemaOf(child, name);
    if (LIST.has(key)) return (child as Json[]).map((one) => schemaOf(one, name));
    return key === 'properties' ? mapped(child as JsonObject, schemaOf) : child;
  });
  const exact = withoutWrapper(withFormat(schema, name));
  return nullable === true ? orNull(exact) : exact;
}

/** Adds the format of an integer, and states a single value as `const`. */
function withFormat(schema: JsonObject, name: string): JsonObject {
  if (schema['type'] !== 'integer') return schema;
  const { enum: values, ...rest } = schema;
  if (Array.isArray(values) && values.length === 1) return { ...rest, const: values[0] };
  const isLong = LONG.test(name) && !(Number(schema['maximum'] ?? Infinity) <= MAX_INT32);
  return { ...schema, format: isLong ? 'int64' : 'int32' };
}

/** Returns the reference with its description instead of an `allOf` around it, which 3.0 needs for the description. */
function withoutWrapper(schema: JsonObject): JsonObject {
  const [reference, second] = (schema['allOf'] ?? []) as JsonObject[];
  if (reference?.['$ref'] === undefined || second !== undefined) return schema;
  if (Object.keys(schema).some((key) => !ANNOTATIONS.has(key))) return schema;
  const { allOf: _, ...annotations } = schema;
  return { ...reference, ...annotations };
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, ...rest } = schema;
  // The schema of null alone has no other value.
  if (Array.isArray(values) && values.length === 1 && values[0] === null) return { ...rest, type: 'null' };
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'] };
}

/** Returns the object with each value changed. */
export const mapped = (object: JsonObject, change: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
