import type { OpenApiDocument, Schema } from './document';

/**
 * Returns the document with closed schemas: objects have no fields besides the documented ones, unless the document allows
 * them. Clients must not validate like this, because fields may be added; but the service must not return undocumented fields.
 *
 * The parts of a schema (`$ref`, `allOf`) stay open, because each part has only some of the fields. The schema that combines
 * them is closed.
 */
export function closed(document: OpenApiDocument): OpenApiDocument {
  const { schemas, responses = {} } = document.components;
  return {
    ...document,
    paths: mapped(document.paths, (item) =>
      mapped(item, (operation) => ({ ...operation, responses: mapped(operation.responses, closedResponse) })),
    ),
    components: {
      ...document.components,
      schemas: mapped(schemas, partsClosed),
      responses: mapped(responses, closedResponse),
    },
  };
}

type Responses = NonNullable<OpenApiDocument['components']['responses']>;

function closedResponse(response: Responses[string]): Responses[string] {
  if (response.content === undefined) return response;
  const content = mapped(response.content, ({ schema, ...rest }) => ({
    ...rest,
    ...(schema && { schema: closedSchema(schema) }),
  }));
  return { ...response, content };
}

/** Closes the schema of a value. */
function closedSchema(schema: Schema): Schema & { unevaluatedProperties?: false } {
  const { $ref, allOf, anyOf, oneOf, properties, additionalProperties } = schema;
  const hasFields = $ref ?? allOf ?? anyOf ?? oneOf ?? properties;
  const inner = partsClosed(schema);
  return hasFields === undefined || additionalProperties !== undefined
    ? inner
    : { ...inner, unevaluatedProperties: false };
}

/** Closes the nested schemas of a part, but not the part itself. */
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
