import type { OpenApiDocument, Schema } from './document';

/**
 * The document read strictly: an object whose fields are listed has no others unless the document says that it may.
 * Clients must not read it so, since fields may come; but a field that nobody described is not to be answered.
 *
 * What a schema is made of, by `$ref` or `allOf`, stays open, and is closed where it is used: each part knows but some of
 * the fields.
 */
export function closed(document: OpenApiDocument): OpenApiDocument {
  const { schemas, responses = {} } = document.components;
  return {
    ...document,
    paths: mapped(document.paths, (item) =>
      mapped(item, (operation) => ({ ...operation, responses: mapped(operation.responses, closedAnswer) })),
    ),
    components: {
      ...document.components,
      schemas: mapped(schemas, partsClosed),
      responses: mapped(responses, closedAnswer),
    },
  };
}

type Answers = NonNullable<OpenApiDocument['components']['responses']>;

function closedAnswer(response: Answers[string]): Answers[string] {
  if (response.content === undefined) return response;
  const content = mapped(response.content, ({ schema, ...rest }) => ({
    ...rest,
    ...(schema && { schema: closedSchema(schema) }),
  }));
  return { ...response, content };
}

/** A schema where a value stands. */
function closedSchema(schema: Schema): Schema & { unevaluatedProperties?: false } {
  const { $ref, allOf, anyOf, oneOf, properties, additionalProperties } = schema;
  const hasFields = $ref ?? allOf ?? anyOf ?? oneOf ?? properties;
  const inner = partsClosed(schema);
  return hasFields === undefined || additionalProperties !== undefined
    ? inner
    : { ...inner, unevaluatedProperties: false };
}

/** A schema that is part of another: its nested schemas are closed, but it is not. */
function partsClosed({
  allOf,
  anyOf,
  oneOf,
  items,
  properties,
  additionalProperties,
  ...rest
}: Schema): Schema {
  return {
    ...rest,
    ...(allOf && { allOf: allOf.map(partsClosed) }),
    ...(anyOf && { anyOf: anyOf.map(partsClosed) }),
    ...(oneOf && { oneOf: oneOf.map(partsClosed) }),
    ...(items && { items: closedSchema(items) }),
    ...(properties && { properties: mapped(properties, closedSchema) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean' ? additionalProperties : closedSchema(additionalProperties),
    }),
  };
}

const mapped = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
