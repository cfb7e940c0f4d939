import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { LocalizedMessage } from '../i18n/catalogue';
import { type Check, checked } from './checked';
import { readBy } from './compiled-dto';
import { hasControls } from '../visible-text';

/*
 * Decorators for the fields of request bodies and queries. Each decorator is one class-validator constraint, so that
 * the message is exactly that of API 1.4, the first violation of a field is well defined, and lengths count code
 * points (class-validator's length constraint does not count variation selectors, which a database column does).
 */

export interface FieldOptions {
  /**
   * May be omitted; with a function, only in DTOs for which it returns true. null and (for text) '' then count as
   * omitted.
   */
  optional?: boolean | ((dto: object) => boolean);
  /** Value of an omitted field. Implies `optional`. */
  default?: unknown;
  /** null is a valid value, not an omission. */
  nullable?: boolean;
}

interface Field extends FieldOptions {
  check: Check;
  /** Converts the sent value before it is checked. */
  read?: (value: unknown) => unknown;
  schema: ApiPropertyOptions;
}

export const EMPTY = 'required';
export const INVALID = 'invalid';
export const NOT_AN_OBJECT = 'notAnObject';
export const NOT_AN_ARRAY = 'notAnArray';
const NOT_AN_INTEGER = 'notAnInteger';

const MAX_INT32 = 2_147_483_647;
const MAX_PER_PAGE = 100;
const MAX_IDS = 500;

/** Declares a field with a custom check. All decorators below use it. */
export function field({
  check,
  read = (value) => value,
  optional,
  default: fallback,
  nullable,
  schema,
}: Field): PropertyDecorator {
  const mayBeOmitted = Boolean(optional) || fallback !== undefined;
  const isRequired = (dto: object): boolean =>
    typeof optional === 'function' ? !optional(dto) : !mayBeOmitted;
  const isNull = (value: unknown): boolean => nullable === true && value === null;
  const checkPresence: Check = (value, dto) => {
    if (value === undefined) return isRequired(dto) ? EMPTY : undefined;
    return isNull(value) ? undefined : check(value, dto);
  };
  const readOrDefault = (value: unknown): unknown => {
    const input = isNull(value) ? null : read(value);
    // Not `??`: null must be kept where it is a valid value.
    return input === undefined ? fallback : input;
  };
  return applyDecorators(
    readBy(readOrDefault),
    checked(checkPresence),
    ApiProperty({ required: !mayBeOmitted, default: fallback, nullable, ...schema } as ApiPropertyOptions),
  );
}

/** Reads null as an omitted field. */
export const nullAsOmitted = (value: unknown): unknown => value ?? undefined;
/** Reads null and '' as an omitted field. */
export const emptyAsOmitted = (value: unknown): unknown => (value === '' ? undefined : nullAsOmitted(value));

const isRequired = (options: FieldOptions): boolean => !options.optional && options.default === undefined;

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Returns the length in code points. */
const lengthOf = (text: string): number => Array.from(text).length;

/** Returns the violation of a text of `min` to `max` code points; undefined if it is valid. */
export function checkText(
  value: unknown,
  { min = 0, max }: { min?: number; max: number },
): LocalizedMessage | undefined {
  if (typeof value !== 'string') return 'notAString';
  if (value.includes('\0') || !value.isWellFormed()) return INVALID;
  // Cheap bounds first: the number of code points is between half the length and the length.
  if (value.length > 2 * max || (value.length > max && lengthOf(value) > max))
    return (catalogue) => catalogue.tooLong(max);
  if (min > 0 && lengthOf(value) < min) return (catalogue) => catalogue.tooShort(min);
  return undefined;
}

interface TextOptions extends FieldOptions {
  max: number;
  min?: number;
  /** An optional field in which '' is a valid value that clears the stored one (API 1.4). */
  clearable?: boolean;
  /** An optional field that must not be empty if it is sent. */
  filled?: boolean;
}

/** A string of at most `max` characters. Required unless `optional`; a required text must not be blank. */
export function Text(options: TextOptions): PropertyDecorator {
  const { clearable = false, filled = false, ...limits } = options;
  const mustBeFilled = filled || isRequired(options);
  return field({
    ...options,
    read: clearable || filled ? nullAsOmitted : emptyAsOmitted,
    check: (value) => (mustBeFilled && isBlank(value) ? EMPTY : checkText(value, limits)),
    schema: {
      type: String,
      maxLength: options.max,
      ...(options.min ? { minLength: options.min } : {}),
    },
  });
}

/** An http or https URL of at most `max` characters. */
export function Url({ max, ...options }: FieldOptions & { max: number }): PropertyDecorator {
  return field({
    ...options,
    read: emptyAsOmitted,
    check: (value) => checkUrl(value, max),
    schema: { type: String, format: 'uri', maxLength: max },
  });
}

/** Returns the violation of an http or https URL of at most `max` characters; undefined if it is valid. */
export const checkUrl = (value: unknown, max: number): LocalizedMessage | undefined =>
  checkText(value, { max }) ?? (isWebUrl(value) ? undefined : INVALID);

/**
 * Returns false for control characters, because `URL` drops TAB and line breaks: the stored URL would differ from the
 * checked one.
 */
function isWebUrl(value: unknown): boolean {
  if (typeof value !== 'string' || hasControls(value)) return false;
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

interface IntegerOptions extends FieldOptions {
  min?: number;
  max?: number;
}

/** Returns the violation of a JSON integer of `min` to `max`; undefined if it is valid. */
export function checkInteger(value: unknown, min: number, max: number): LocalizedMessage | undefined {
  if (!Number.isInteger(value)) return NOT_AN_INTEGER;
  if ((value as number) < min) return (catalogue) => catalogue.tooSmall(min);
  if ((value as number) > max) return (catalogue) => catalogue.tooLarge(max);
  return undefined;
}

/** A JSON integer from `min` to `max`. Default: the range of 32-bit integers. */
export function Integer(
  { min = -MAX_INT32 - 1, max = MAX_INT32, ...options }: IntegerOptions = {},
  read = emptyAsOmitted,
): PropertyDecorator {
  return field({
    ...options,
    read,
    check: (value) => checkInteger(value, min, max),
    schema: { type: 'integer', minimum: min, maximum: max },
  });
}

/** An id in a body: a JSON integer from 1. */
export const Id = (options: FieldOptions = {}): PropertyDecorator =>
  Integer({ min: 1, max: Number.MAX_SAFE_INTEGER, ...options });

export const digitsAsNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : emptyAsOmitted(value);

/** An optional integer in a query, in decimal digits. */
export const QueryInteger = ({ min = 0, ...options }: IntegerOptions = {}): PropertyDecorator =>
  Integer({ min, ...options, optional: true }, digitsAsNumber);

/** An id in a query. */
export const QueryId = (): PropertyDecorator => QueryInteger({ min: 1, max: Number.MAX_SAFE_INTEGER });

/** `page`: from 1; default 1. */
export const PageNumber = (): PropertyDecorator => QueryInteger({ min: 1, default: 1 });

/** `per_page`: 1 to 100; default `fallback`. */
export const PerPage = (fallback: number): PropertyDecorator =>
  QueryInteger({ min: 1, max: MAX_PER_PAGE, default: fallback });

/** One of a fixed set of strings. */
export function OneOf(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return field({
    ...options,
    read: emptyAsOmitted,
    check: (value) => {
      if (values.includes(value as string)) return undefined;
      return isRequired(options) && isBlank(value) ? EMPTY : INVALID;
    },
    schema: { type: String, enum: [...values] },
  });
}

/** One of a fixed set of numbers in a query, such as 0 and 1. */
export const QueryOneOf = (values: readonly number[]): PropertyDecorator =>
  IntegerOneOf(values, { optional: true }, digitsAsNumber);

/** One of a fixed set of JSON integers, such as a status of 0 and 1. */
export function IntegerOneOf(
  values: readonly number[],
  options: FieldOptions = {},
  read = emptyAsOmitted,
): PropertyDecorator {
  return field({
    ...options,
    read,
    check: (value) =>
      Number.isInteger(value) ? (values.includes(value as number) ? undefined : INVALID) : NOT_AN_INTEGER,
    schema: { type: 'integer', enum: [...values] },
  });
}

/** The field by which a list is sorted; with a leading `-` in descending order. */
export const SortBy = (fields: readonly string[]): PropertyDecorator =>
  OneOf(
    fields.flatMap((name) => [name, `-${name}`]),
    { optional: true },
  );

/** A JSON boolean. */
export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return field({
    ...options,
    read: nullAsOmitted,
    check: (value) => (typeof value === 'boolean' ? undefined : INVALID),
    schema: { type: Boolean },
  });
}

const isId = (id: unknown): boolean => Number.isSafeInteger(id) && (id as number) > 0;

/** An array of at most `max` ids (default 500). Duplicates are removed. A required array must not be empty. */
export function Ids({ max = MAX_IDS, ...options }: FieldOptions & { max?: number } = {}): PropertyDecorator {
  const mayBeEmpty = options.optional === true;
  return field({
    ...options,
    read: (value) => (Array.isArray(value) ? [...new Set<unknown>(value)] : emptyAsOmitted(value)),
    check: (value) => {
      if (!Array.isArray(value)) return NOT_AN_ARRAY;
      if (value.length === 0 && !mayBeEmpty) return EMPTY;
      if (!value.every(isId)) return INVALID;
      return value.length > max ? (catalogue) => catalogue.tooMany(max) : undefined;
    },
    schema: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: max },
  });
}
