import { emptyAsOmitted, field, INVALID, QueryInteger } from './fields';

/* Query fields of long lists (`common/http/keyset.ts`). */

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;
const MAX_CURSOR_LENGTH = 200;

/** `limit`: 1 to 200; default 50. */
export const Limit = (): PropertyDecorator =>
  QueryInteger({ min: 1, max: MAX_LIMIT, default: DEFAULT_LIMIT });

/** `cursor`: the `next_cursor` of the previous page. */
export const Cursor = (): PropertyDecorator =>
  field({
    optional: true,
    read: emptyAsOmitted,
    check: (value) => (typeof value === 'string' && value.length <= MAX_CURSOR_LENGTH ? undefined : INVALID),
    schema: { type: String, maxLength: MAX_CURSOR_LENGTH },
  });
