import { emptyAsOmitted, field, INVALID, QueryInteger } from './fields';

/* The fields of queries for long lists (`common/http/keyset.ts`). */

const MOST = 200;
const USUAL = 50;
const LONGEST_CURSOR = 200;

/** `limit`: 1 to 200, 50 when left out. */
export const Limit = (): PropertyDecorator => QueryInteger({ min: 1, max: MOST, default: USUAL });

/** `cursor`: the `next_cursor` of the page before. */
export const Cursor = (): PropertyDecorator =>
  field({
    optional: true,
    read: emptyAsOmitted,
    check: (value) => (typeof value === 'string' && value.length <= LONGEST_CURSOR ? undefined : INVALID),
    schema: { type: String, maxLength: LONGEST_CURSOR },
  });
