import type { OpenAPIObject } from '@nestjs/swagger';
import type { SchemaObject } from './document-types';

/**
 * Says of the schemas what TypeScript's types leave open and the whole service keeps to: numbers are whole, ids start
 * at 1 and counts at 0; and null, where it may stand for one of some fixed values, is one of them.
 */
export function makeExact(document: OpenAPIObject): OpenAPIObject {
  for (const schema of Object.values(document.components?.schemas ?? {})) {
    const { properties = {} } = schema as SchemaObject;
    for (const [name, property] of Object.entries(properties)) {
      if ('$ref' in property) continue;
      if (property.type === 'number') {
        Object.assign(property, { type: 'integer', minimum: property.minimum ?? leastOf(name) });
      }
      // OpenAPI 3.0.3: `nullable` does not add null to an `enum`.
      if (property.nullable && property.enum) property.enum = [...property.enum, null];
    }
  }
  return document;
}

const leastOf = (name: string): number => (name === 'id' || name.endsWith('_id') ? 1 : 0);
