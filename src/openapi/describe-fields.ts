import type { OpenAPIObject } from '@nestjs/swagger';
import { COMMON_FIELDS, type FieldWords, PATH_IDS } from './common-fields';
import { operationsOf, type ParameterObject, type Schema, type SchemaObject } from './document-types';
import { exampleOf } from './examples';

/**
 * Adds descriptions and examples to fields and parameters without a doc comment or its `@example` (`* @example 7`).
 * They come from `COMMON_FIELDS`, which describes fields with the same meaning everywhere.
 */
export function describeFields(document: OpenAPIObject): OpenAPIObject {
  for (const schema of Object.values(document.components?.schemas ?? {})) describeWithin(schema);
  for (const [path, operation] of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (!('$ref' in parameter)) describeParameter(path, parameter);
    }
  }
  return document;
}

function describeWithin(schema: Schema): void {
  if ('$ref' in schema) return;
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    describeWithin(part);
  if (schema.items) describeWithin(schema.items);
  const { properties = {} } = schema;
  for (const [name, property] of Object.entries(properties)) {
    properties[name] = withDescription(property, COMMON_FIELDS[name]);
    describeWithin(properties[name]);
  }
}

/**
 * Returns a copy with description and example; those of the schema itself take precedence. It is a copy because several
 * fields may share a schema. In OpenAPI 3.0 a reference cannot have siblings, so a description next to it needs
 * `allOf`.
 */
function withDescription(schema: Schema, { description, example }: FieldWords = {}): Schema {
  if ('$ref' in schema && description === undefined) return schema;
  const base: SchemaObject = '$ref' in schema ? { allOf: [schema] } : schema;
  const text = base.description ?? description;
  return {
    ...base,
    ...(text !== undefined && { description: toSentence(text) }),
    ...(base.example === undefined && example !== undefined && accepts(base, example) && { example }),
  };
}

/** Whether the common example of a field name is valid for this schema, by its type and enum. */
function accepts({ type, enum: values }: SchemaObject, example: unknown): boolean {
  if (values) return (values as unknown[]).includes(example);
  const kind = Array.isArray(example) ? 'array' : typeof example;
  return type === undefined || type === (kind === 'number' ? 'integer' : kind);
}

/** Joins the lines of a text and ends it with one full stop. */
const toSentence = (text: string): string => `${text.replaceAll(/\s+/g, ' ').replace(/\.$/, '')}.`;

/** Describes a parameter. The example is moved from the schema to the parameter, where tools look for it first. */
function describeParameter(path: string, parameter: ParameterObject): void {
  const schema = (parameter.schema ?? {}) as SchemaObject;
  const defaults =
    parameter.in === 'path' ? PATH_IDS[segmentBefore(path, parameter.name)] : COMMON_FIELDS[parameter.name];
  const description = parameter.description ?? defaults?.description;
  if (description !== undefined) parameter.description = toSentence(description);
  const common =
    defaults?.example !== undefined && accepts(schema, defaults.example) ? defaults.example : undefined;
  const example: unknown = parameter.example ?? schema.example ?? common ?? exampleOf(schema, {});
  if (example !== undefined) parameter.example = example;
  delete schema.example;
}

const segmentBefore = (path: string, name: string): string =>
  path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? '';
