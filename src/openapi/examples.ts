import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema, SchemaObject } from './document-types';

/* Builds valid examples for schemas from the examples of their fields. */

type Schemas = Readonly<Record<string, Schema>>;

/** Examples of strings by format. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T08:00:00.000Z',
  uri: 'https://pictures.example/alice.png',
};
/** Examples of strings by pattern. */
const PATTERNS: Readonly<Record<string, string>> = {
  [String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`]: '2026-01-31 16:00:00',
  [String.raw`^\d\d:\d\d$`]: '16:00',
};

/**
 * Returns an example for a schema: its own, else one derived from its default, enum, format or parts; undefined if none
 * can be derived. Recursive references are omitted.
 */
export function exampleOf(schema: Schema, schemas: Schemas, within: readonly string[] = []): unknown {
  if ('$ref' in schema) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const target = schemas[name];
    return target === undefined || within.includes(name)
      ? undefined
      : exampleOf(target, schemas, [...within, name]);
  }
  if (schema.example !== undefined) return schema.example as unknown;
  return suggestion(schema) ?? composed(schema, (part) => exampleOf(part, schemas, within));
}

function suggestion({ default: fallback, enum: values, format, pattern, type }: SchemaObject): unknown {
  if (fallback !== undefined && fallback !== '') return fallback;
  const value = (values as unknown[] | undefined)?.find((item) => item !== null);
  if (value !== undefined) return value;
  if (type === 'boolean') return false;
  return FORMATS[format ?? ''] ?? PATTERNS[pattern ?? ''];
}

function composed(
  { allOf, oneOf, anyOf, type, items, properties }: SchemaObject,
  of: (part: Schema) => unknown,
): unknown {
  if (allOf) return Object.assign({}, ...allOf.map(of)) as object;
  const [choice] = oneOf ?? anyOf ?? [];
  if (choice) return of(choice);
  if (type === 'array') return items === undefined ? [] : [of(items)].filter((item) => item !== undefined);
  if (!properties) return undefined;
  const parts = Object.entries(properties).map(([name, part]) => [name, of(part)] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

function addWithin(schema: Schema, example: (field: Schema) => unknown): void {
  if ('$ref' in schema) return;
  for (const property of Object.values(schema.properties ?? {})) {
    if ('$ref' in property) continue;
    addWithin(property, example);
    property.example ??= example(property);
  }
  for (const part of [...(schema.allOf ?? []), ...(schema.items ? [schema.items] : [])])
    addWithin(part, example);
}

/** Adds an example to every field of the named schemas that has none, and a complete one to every request body. */
export function addExamples(document: OpenAPIObject): OpenAPIObject {
  const schemas = document.components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas)) {
    if ('$ref' in schema) continue;
    addWithin(schema, (field) => exampleOf(field, schemas, [name]));
    if (name.endsWith('Request')) schema.example ??= exampleOf(schema, schemas);
  }
  return document;
}
