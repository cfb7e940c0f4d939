import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import type { Saying } from '../words/words';

/** What is wrong, in the contract's words; with a name where it is a part of the field's value that is wrong. */
export type Problem = Saying | { part: string; problem: Saying };

/** What is wrong with a value (of a field of `dto`), or undefined when nothing is. */
export type Check = (value: unknown, dto: object) => Problem | undefined;

/** Where a class keeps the checks of a field. */
const CHECKS = Symbol('checks');

const checksOf = (dto: object, field: string | symbol): Check[] =>
  (Reflect.getMetadata(CHECKS, dto, field) as Check[] | undefined) ?? [];

/**
 * A constraint of class-validator. What it finds wrong is a text, made before anybody knows in which language; so the
 * check itself is kept, for `problemOf` to ask again.
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

/** What the first failing check of a field finds wrong, and with which part of it, or with the field. */
export function problemOf(dto: object, field: string): { part: string; problem: Saying } | undefined {
  const value: unknown = dto[field as keyof typeof dto];
  for (const check of checksOf(dto, field)) {
    const problem = check(value, dto);
    if (problem !== undefined) return typeof problem === 'object' ? problem : { part: field, problem };
  }
  return undefined;
}
