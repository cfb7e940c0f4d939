import { createHash } from 'node:crypto';
import { canonicalJson } from '../../common/canonical-json';

/**
 * Returns a hash by which the bodies of repeated requests are compared. It is equal when the fields have equal values,
 * in any order of keys. Fields that are null, false or an empty list count as absent; the caller fills in other
 * defaults first (API 1.8).
 */
export function bodyHash(body: object): string {
  const significant = Object.entries(body).filter(([, value]) => !isEmpty(value));
  return createHash('sha256')
    .update(canonicalJson(Object.fromEntries(significant)))
    .digest('base64url');
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);
