import { createHash } from 'node:crypto';
import { canonicalJson } from '../../common/canonical-json';

/**
 * By which the bodies of requests that make something are compared: equal where their fields say the same (contract 13.1).
 * What stands for nothing, null, false or an empty list, is as good as left out; other defaults are filled in before.
 */
export function bodyHash(body: object): string {
  const told = Object.entries(body).filter(([, value]) => !isNothing(value));
  return createHash('sha256')
    .update(canonicalJson(Object.fromEntries(told)))
    .digest('base64url');
}

const isNothing = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);
