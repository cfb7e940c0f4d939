import type { ApiPropertyOptions } from '@nestjs/swagger';

/*
 * What the OpenAPI document says of fields in answers beyond their TypeScript type. That numbers are whole, and which
 * are ids, `makeExact` adds for all of them.
 */

/** Where @nestjs/swagger keeps what is known of a property. */
const PROPERTY = 'swagger/apiModelProperties';

/**
 * Adds to what the build learns from the property's declaration. `@ApiProperty` would too, but moves the property to
 * the front: the document lists fields in the order of the class, and so of the specification.
 */
const described =
  (options: ApiPropertyOptions): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(PROPERTY, options, target, property);

/** A moment: ISO 8601, UTC, with milliseconds (contract 1.4). */
export const Moment = (): PropertyDecorator => described({ type: String, format: 'date-time' });

/** A moment on the clocks of `APP_TIMEZONE`: `2026-01-31 16:00:00`. */
export const LocalMoment = (): PropertyDecorator =>
  described({ type: String, pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$` });

/** A day there: `2026-01-31`. */
export const LocalDay = (): PropertyDecorator =>
  described({ type: String, pattern: String.raw`^\d{4}-\d\d-\d\d$` });

/** A time of day there: `16:00`. */
export const LocalTimeOfDay = (): PropertyDecorator =>
  described({ type: String, pattern: String.raw`^\d\d:\d\d$` });

/** The URL of a picture. */
export const Picture = (): PropertyDecorator => described({ type: String, format: 'uri' });

/** A list of ids. */
export const IdList = (): PropertyDecorator =>
  described({ type: 'array', items: { type: 'integer', minimum: 1 } });

/** A list of texts. */
export const TextList = (): PropertyDecorator => described({ type: 'array', items: { type: 'string' } });

/** 0 or 1. */
export const ZeroOrOne = (): PropertyDecorator => described({ type: 'integer', enum: [0, 1] });

/** A whole number that may be negative. */
export const SignedInteger = (): PropertyDecorator =>
  described({ type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 });

/** Always the same text. */
export const Always = (text: string): PropertyDecorator => described({ type: String, enum: [text] });

/** A part of a whole, from 0 to 1. */
export const Share = (): PropertyDecorator => described({ type: 'number', minimum: 0, maximum: 1 });

/** One of a few texts. */
export const OneOfTexts = (...texts: string[]): PropertyDecorator => described({ type: String, enum: texts });

/** An object whose fields are its sender's. */
export const AnyObject = (): PropertyDecorator => described({ type: 'object', additionalProperties: true });

/** An object of counts, by names that are not known beforehand. */
export const Counts = (): PropertyDecorator =>
  described({ type: 'object', additionalProperties: { type: 'integer', minimum: 1 } });
