import type { Type } from '@nestjs/common';
import { BusinessError, invalidField } from '../errors/business-error';
import { toDto } from '../input/dto.pipe';
import { checkText, EMPTY, field, NOT_AN_ARRAY, NOT_AN_OBJECT, nullAsOmitted } from '../input/fields';
import type { InputRow } from './upsert-planner';

/** An array of 1 to `max` rows. Its elements are validated by a `rowParser`, one by one, and fail independently. */
export const InputRows = (type: Type, max: number): PropertyDecorator =>
  field({
    read: nullAsOmitted,
    check: (value) => {
      if (!Array.isArray(value)) return NOT_AN_ARRAY;
      if (value.length === 0) return EMPTY;
      return value.length > max ? (catalogue) => catalogue.tooMany(max) : undefined;
    },
    schema: { type: [type], maxItems: max },
  });

interface RowFormat<Key extends string, Dto> {
  type: Type<Dto>;
  /** Field of the array, for the error of a row that is not an object. */
  arrayField: string;
  keyField: Key;
  maxKeyLength: number;
}

/** Returns a function that validates one row as if it were a request body. An invalid row is returned with its error. */
export const rowParser =
  <Key extends string, Dto extends Record<Key, string>>(format: RowFormat<Key, Dto>) =>
  async (sent: unknown): Promise<InputRow<Dto>> => {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
      return { key: null, error: invalidField(format.arrayField, NOT_AN_OBJECT) };
    try {
      const input = await toDto(format.type, sent);
      return { key: input[format.keyField], input };
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error;
      const key = (sent as Record<string, unknown>)[format.keyField];
      const isValid = key !== '' && checkText(key, { max: format.maxKeyLength }) === undefined;
      return { key: isValid ? (key as string) : null, error };
    }
  };
