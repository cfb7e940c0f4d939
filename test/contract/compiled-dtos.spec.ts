import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import * as fc from 'fast-check';
import '../../src/app.module';
import { compileDto } from '../../src/common/input/compiled-dto';
import { toDtoByLibraries } from '../../src/common/input/dto.pipe';
import type { Schema } from '../fuzz/document';
import { hostile, valid } from '../fuzz/values';
import { propertyRuns } from '../support/property-runs';

const { validationMetadatas } = getMetadataStorage() as unknown as {
  validationMetadatas: Map<Type, { propertyName: string }[]>;
};

/** Metadata key of `@ApiProperty`, which Nest does not export. */
const API_PROPERTY = 'swagger/apiModelProperties';

/** The schema that the decorators of a field describe. */
function schemaOf(type: Type, field: string): Schema {
  const described = Reflect.getMetadata(API_PROPERTY, type.prototype as object, field) as
    | (Omit<Schema, 'type'> & { type?: unknown })
    | undefined;
  const name = typeof described?.type === 'function' ? described.type.name.toLowerCase() : described?.type;
  return { ...described, type: name as Schema['type'] };
}

/** Objects with valid and invalid values of the declared fields, and a field that is not declared. */
function objectsOf(type: Type): fc.Arbitrary<Record<string, unknown>> {
  const names = new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(type, '', false, false)
      .map(({ propertyName }) => propertyName),
  );
  const record = (valuesOf: (schema: Schema) => fc.Arbitrary<unknown>) =>
    fc.record(
      {
        ...Object.fromEntries(Array.from(names, (name) => [name, valuesOf(schemaOf(type, name))])),
        undeclared: fc.constant({ constructor: 1 }),
      },
      { requiredKeys: [] },
    );
  const allowed = (schema: Schema) => valid('', '', schema);
  const mixed = (schema: Schema) =>
    fc.oneof({ weight: 4, arbitrary: allowed(schema) }, { weight: 1, arbitrary: hostile(schema) });
  return fc.oneof(record(allowed), record(mixed));
}

describe('compileDto', () => {
  const results = { valid: 0, invalid: 0 };

  it.each(Array.from(validationMetadatas.keys(), (type) => [type.name, type] as const))(
    'converts and validates %s as class-transformer and class-validator do',
    async (_, type) => {
      const compiled = compileDto<object>(type);
      await fc.assert(
        fc.asyncProperty(objectsOf(type), async (sent) => {
          const expected = await toDtoByLibraries<object>(type, sent).catch(() => undefined);
          results[expected === undefined ? 'invalid' : 'valid'] += 1;
          const dto = compiled?.(sent);
          expect(dto).toStrictEqual(expected);
          expect(Object.keys(dto ?? {})).toEqual(Object.keys(expected ?? {}));
        }),
        propertyRuns(),
      );
    },
  );

  it('was compared for valid and for invalid objects', () => {
    expect(Math.min(results.valid, results.invalid)).toBeGreaterThan(10 * validationMetadatas.size);
  });
});
