import { emptyAsOmitted, field, type FieldOptions, INVALID, NOT_AN_OBJECT } from './fields';

interface JsonObjectOptions extends FieldOptions {
  maxBytes: number;
  /** Checks the fields that the service knows. */
  isValid?: (value: object, dto: object) => boolean;
}

/** A JSON object of at most `maxBytes` bytes in compact form. */
export function JsonObject({ maxBytes, isValid, ...options }: JsonObjectOptions): PropertyDecorator {
  return field({
    ...options,
    read: emptyAsOmitted,
    check: (value, dto) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOT_AN_OBJECT;
      const json = JSON.stringify(value);
      if (Buffer.byteLength(json) > maxBytes || isNotStorable(value)) return INVALID;
      return isValid?.(value, dto) === false ? INVALID : undefined;
    },
    schema: { type: 'object', additionalProperties: true },
  });
}

/** Whether any nested key or string has a NUL or a lone surrogate, or any number is not finite (too large for JSON). */
function isNotStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => isNotStorable(key) || isNotStorable(inner));
}
