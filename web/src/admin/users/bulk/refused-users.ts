import type { AdminUserResponse } from '@callboard/client';
import { toCallboardError } from '../../../shared/session';
import type { Chosen } from '../../parts/tables/chosen-rows';

export interface RefusedUser {
  id: number;
  name: string;
  reason: 'unknown' | 'lastAdministrator';
}

/** `用户不存在: 7, 9`, in whatever language the service answers. */
const UNKNOWN = /: (\d+(?:, \d+)*)$/;
const LAST_ADMINISTRATOR = /^(status|role) /;

/**
 * For whose sake the service refused a change of several, which is done to all or to none (contract 14.3, 2): who is not there, or
 * the administrators of whom one must stay. Empty where it was for another reason.
 */
export function refusedUsers(thrown: unknown, chosen: Chosen<AdminUserResponse>): RefusedUser[] {
  const error = toCallboardError(thrown);
  if (error.code !== 422) return [];
  const [, ids] = UNKNOWN.exec(error.message) ?? [];
  if (ids !== undefined) {
    return ids.split(', ').map((id) => {
      const name = chosen.get(Number(id))?.name ?? id;
      return { id: Number(id), name, reason: 'unknown' };
    });
  }
  if (!LAST_ADMINISTRATOR.test(error.message)) return [];
  return [...chosen.values()]
    .filter(({ role, status }) => role === 'admin' && status === 1)
    .map(({ id, name }) => ({ id, name, reason: 'lastAdministrator' }));
}
