import type { CallboardError, ServiceErrorKey } from '@callboard/client';

/** Validation errors that do not depend on the state of the tree. */
const REQUEST_ERRORS: ReadonlySet<ServiceErrorKey | undefined> = new Set(['TOO_DEEP', 'TOO_MANY'] as const);
/** Errors of a deletion. The panel deletes only groups that are empty in its tree. */
const NOT_EMPTY: ReadonlySet<ServiceErrorKey | undefined> = new Set([
  'DEVICE_GROUP_HAS_SUBGROUPS',
  'DEVICE_GROUP_HAS_DEVICES',
] as const);

/** Returns whether an error means that the groups have changed since the tree was loaded. */
export const isStale = ({ code, key }: CallboardError): boolean =>
  code === 404 || (code === 422 && !REQUEST_ERRORS.has(key)) || NOT_EMPTY.has(key);
