import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import type { LocalizedMessage } from '../i18n/catalogue';

/** A violation, with its message (API 1.4); with `part` if a part of the field's value is invalid. */
export type Problem = LocalizedMessage | { part: string; problem: LocalizedMessage };

/** Returns the violation of a value of a field of `dto`; undefined if it is valid. */
export type Check = (value: unknown, dto: object) => Problem | undefined;

/** Metadata key of the checks of a field. */
const CHECKS = Symbol('checks');

const checksOf = (dto: object, field: string | symbol): Check[] =>
  (Reflect.getMetadata(CHECKS, dto, field) as Check[] | undefined) ?? [];

/**
 * A constraint of class-validator. class-validator creates messages before the language of the response is known;
 * therefore the check is stored as metadata, and `problemOf` runs it again.
 */
export const checked = (check: Check): PropertyDecorator =>
  applyDecorators(
    (dto: object, field: string | symbol) =>
      Reflect.defineMetadata(CHECKS, [...checksOf(dto, field), check], dto, field),
    ValidateBy({
      name: 'checked',
      validator: {
        validate: (value, args) => check(value, args?.object ?? {}) === undefined,
        defaultMessage: () => 'is invalid',
      },
    }),
  );

/** Returns the first violation of a field, and the name of the invalid part or of the field. */
export function problemOf(
  dto: object,
  field: string,
): { part: string; problem: LocalizedMessage } | undefined {
  const value: unknown = dto[field as keyof typeof dto];
  for (const check of checksOf(dto, field)) {
    const problem = check(value, dto);
    if (problem !== undefined) return typeof problem === 'object' ? problem : { part: field, problem };
  }
  return undefined;
}
