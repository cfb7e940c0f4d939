import type { OpenAPIObject } from '@nestjs/swagger';
import type { SchemaObject } from './document-types';

/**
 * Says of the schemas what TypeScript's types leave open and the whole service keeps to: numbers are whole, ids start
 * at 1 and counts at 0; and null, where it may stand for one of some fixed values or for a record, is one of them.
 */
export function makeExact(document: OpenAPIObject): OpenAPIObject {
  for (const schema of Object.values(document.components?.schemas ?? {})) {
    const { properties = {} } = schema as SchemaObject;
    for (const [name, property] of Object.entries(properties)) {
      if ('$ref' in property) continue;
      // A part of a whole alone has decimals.
      if (property.type === 'number' && property.maximum !== 1) {
        Object.assign(property, { type: 'integer', minimum: property.minimum ?? leastOf(name) });
      }
      // OpenAPI 3.0.3: `nullable` does not add null to an `enum`.
      if (property.nullable && property.enum) property.enum = [...new Set([...property.enum, null])];
      // Nor does it to what a reference says.
      if (property.nullable && property.allOf) {
        property.oneOf = [...property.allOf, NULL];
        for (const key of ['allOf', 'nullable', 'type'] as const) delete property[key];
      }
    }
  }
  return document;
}

const NULL: SchemaObject = { type: 'object', nullable: true, enum: [null] };

const leastOf = (name: string): number => (name === 'id' || name.endsWith('_id') ? 1 : 0);
