import type { UrlState } from '../../shared/url-state';
import { AUDIT_ACTIONS, type AuditFilters, OBJECT_TYPES } from '../parts/audit/names';
import { isReversed } from '../parts/filters/day-range';
import { oneOf } from '../parts/filters/one-of';

/** Names of the audit log filters in the URL. */
export const AUDIT_FILTERS = [
  'actor_type',
  'actor_id',
  'action',
  'object_type',
  'object_id',
  'from',
  'to',
] as const;

export const ACTOR_TYPES = ['user', 'key', 'system'] as const;

/**
 * Reads the audit log filters from the URL. A filter that requires another one is left out until that one is set
 * (API 15.1).
 */
export function auditFiltersOf(url: UrlState): AuditFilters {
  const actorType = oneOf(ACTOR_TYPES, url.text('actor_type'));
  const actorId = url.number('actor_id');
  const objectType = oneOf(OBJECT_TYPES, url.text('object_type'));
  const [from, to] = [url.text('from'), url.text('to')];
  return {
    ...(actorType === 'system'
      ? { actor_type: actorType }
      : actorId !== undefined && { actor_type: actorType, actor_id: actorId }),
    action: oneOf(AUDIT_ACTIONS, url.text('action')),
    object_type: objectType,
    ...(objectType !== undefined && { object_id: url.text('object_id') }),
    ...(!isReversed(from, to) && { from, to }),
  };
}
