import type { AdminUserResponse } from '@callboard/client';
import { toCallboardError } from '../../../shared/session';
import type { Chosen } from '../../parts/tables/chosen-rows';

export interface RefusedUser {
  id: number;
  name: string;
  reason: 'unknown' | 'lastAdministrator';
}

/**
 * For whose sake the service refused a change of several, which is done to all or to none (contract 14.3, 2): who is not there, or
 * the administrators of whom one must stay. Empty where it was for another reason.
 */
export function refusedUsers(thrown: unknown, chosen: Chosen<AdminUserResponse>): RefusedUser[] {
  const error = toCallboardError(thrown);
  if (error.key === 'UNKNOWN_USERS')
    return error.numbers.map((id) => ({ id, name: chosen.get(id)?.name ?? String(id), reason: 'unknown' }));
  if (error.field !== 'status' && error.field !== 'role') return [];
  return [...chosen.values()]
    .filter(({ role, status }) => role === 'admin' && status === 1)
    .map(({ id, name }) => ({ id, name, reason: 'lastAdministrator' }));
}
