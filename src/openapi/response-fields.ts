import type { ApiPropertyOptions } from '@nestjs/swagger';

/*
 * Decorators that document response fields beyond their TypeScript types. `makeExact` adds to all of them that numbers
 * are integers, and the minimum of ids and counts.
 */

/** Metadata key under which @nestjs/swagger stores the options of a property. */
const PROPERTY_METADATA = 'swagger/apiModelProperties';

/**
 * Adds options to those that the compiler plugin derives from the declaration. `@ApiProperty` would do the same but
 * move the property to the front: the document lists fields in the order of the class, which is that of the
 * API rules.
 */
const described =
  (options: ApiPropertyOptions): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(PROPERTY_METADATA, options, target, property);

/** A timestamp: ISO 8601, UTC, with milliseconds (API 1.5). */
export const TimestampField = (): PropertyDecorator => described({ type: String, format: 'date-time' });

/** A local time in `APP_TIMEZONE`: `2026-01-31 16:00:00`. */
export const LocalTimestampField = (): PropertyDecorator =>
  described({ type: String, pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$` });

/** A local date in `APP_TIMEZONE`: `2026-01-31`. */
export const LocalDay = (): PropertyDecorator =>
  described({ type: String, pattern: String.raw`^\d{4}-\d\d-\d\d$` });

/** A local time of day in `APP_TIMEZONE`: `16:00`. */
export const LocalTimeOfDay = (): PropertyDecorator =>
  described({ type: String, pattern: String.raw`^\d\d:\d\d$` });

/** The URL of a picture. */
export const Picture = (): PropertyDecorator => described({ type: String, format: 'uri' });

/** A list of ids. */
export const IdList = (): PropertyDecorator =>
  described({ type: 'array', items: { type: 'integer', minimum: 1 } });

/** A list of integers within a range. */
export const IntegerList = (minimum: number, maximum: number): PropertyDecorator =>
  described({ type: 'array', items: { type: 'integer', minimum, maximum } });

/** 0 or 1. */
export const ZeroOrOne = (): PropertyDecorator => described({ type: 'integer', enum: [0, 1] });

/** A 32-bit integer that may be negative. */
export const SignedInteger = (): PropertyDecorator =>
  described({ type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 });

/** A constant string. */
export const Always = (text: string): PropertyDecorator => described({ type: String, enum: [text] });

/** A ratio from 0 to 1. */
export const Share = (): PropertyDecorator => described({ type: 'number', minimum: 0, maximum: 1 });

/** One of the given strings. */
export const OneOfTexts = (...texts: string[]): PropertyDecorator => described({ type: String, enum: texts });

/** An object of counts of at least 1 with arbitrary names. */
export const CountsField = (): PropertyDecorator =>
  described({ type: 'object', additionalProperties: { type: 'integer', minimum: 1 } });
