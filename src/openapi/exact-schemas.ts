import type { OpenAPIObject } from '@nestjs/swagger';
import type { SchemaObject } from './document-types';
import { NOTHING } from './envelope-schemas';

/**
 * Adds constraints to the schemas that hold for the whole service but that TypeScript types cannot express: numbers are
 * integers, ids start at 1 and counts at 0, and null is listed among the values of nullable enums and references.
 */
export function makeExact(document: OpenAPIObject): OpenAPIObject {
  for (const schema of Object.values(document.components?.schemas ?? {})) {
    const { properties = {} } = schema as SchemaObject;
    for (const [name, property] of Object.entries(properties)) {
      if ('$ref' in property) continue;
      // Only ratios, which have the maximum 1, are not integers.
      if (property.type === 'number' && property.maximum !== 1) {
        Object.assign(property, { type: 'integer', minimum: property.minimum ?? minimumOf(name) });
      }
      // OpenAPI 3.0.3: `nullable` does not add null to an `enum`.
      if (property.nullable && property.enum) property.enum = [...new Set([...property.enum, null])];
      // It does not add null to a reference either.
      if (property.nullable && property.allOf) {
        property.oneOf = [...property.allOf, NOTHING];
        for (const key of ['allOf', 'nullable', 'type'] as const) delete property[key];
      }
    }
  }
  return document;
}

const minimumOf = (name: string): number => (name === 'id' || name.endsWith('_id') ? 1 : 0);
