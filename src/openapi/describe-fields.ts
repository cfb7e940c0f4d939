import type { OpenAPIObject } from '@nestjs/swagger';
import { COMMON_FIELDS, type FieldWords, PATH_IDS } from './common-fields';
import { operationsOf, type ParameterObject, type Schema, type SchemaObject } from './document-types';
import { exampleOf } from './examples';

/**
 * Gives words to the fields and parameters that have none of their own. A field's own are its doc comment, whose
 * `@example` is a value (`* @example 7`); `COMMON_FIELDS` has those of fields that mean the same everywhere.
 */
export function describeFields(document: OpenAPIObject): OpenAPIObject {
  for (const schema of Object.values(document.components?.schemas ?? {})) describeWithin(schema);
  for (const [path, operation] of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (!('$ref' in parameter)) describeParameter(path, parameter);
    }
    for (const response of Object.values(operation.responses)) {
      if (!response || '$ref' in response) continue;
      for (const { schema } of Object.values(response.content ?? {})) if (schema) describeWithin(schema);
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
    properties[name] = withWords(property, COMMON_FIELDS[name]);
    describeWithin(properties[name]);
  }
}

/**
 * A copy with words, its own first: several fields may share a schema. A reference stands alone in OpenAPI 3.0, so what is
 * said beside it needs `allOf`.
 */
function withWords(schema: Schema, { description, example }: FieldWords = {}): Schema {
  if ('$ref' in schema && description === undefined) return schema;
  const own: SchemaObject = '$ref' in schema ? { allOf: [schema] } : schema;
  const text = own.description ?? description;
  return {
    ...own,
    ...(text !== undefined && { description: sentence(text) }),
    ...(own.example === undefined && example !== undefined && mayBe(own, example) && { example }),
  };
}

/** Whether a schema of this type and these values takes the example that its name has elsewhere. */
function mayBe({ type, enum: values }: SchemaObject, example: unknown): boolean {
  if (values) return (values as unknown[]).includes(example);
  const kind = Array.isArray(example) ? 'array' : typeof example;
  return type === undefined || type === (kind === 'number' ? 'integer' : kind);
}

/** One line with its full stop, wherever it was written. */
const sentence = (text: string): string => `${text.replaceAll(/\s+/g, ' ').replace(/\.$/, '')}.`;

/** A parameter has its example beside its schema, where tools look for it first. */
function describeParameter(path: string, parameter: ParameterObject): void {
  const schema = (parameter.schema ?? {}) as SchemaObject;
  const words =
    parameter.in === 'path' ? PATH_IDS[partBefore(path, parameter.name)] : COMMON_FIELDS[parameter.name];
  const description = parameter.description ?? words?.description;
  if (description !== undefined) parameter.description = sentence(description);
  const common = words?.example !== undefined && mayBe(schema, words.example) ? words.example : undefined;
  const example: unknown = parameter.example ?? schema.example ?? common ?? exampleOf(schema, {});
  if (example !== undefined) parameter.example = example;
  delete schema.example;
}

const partBefore = (path: string, name: string): string =>
  path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? '';
