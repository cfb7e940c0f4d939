import type { AdminUserResponse, CallboardError } from '@callboard/client';
import type { SelectedRows } from '../../parts/tables/row-selection';

export interface RejectedUser {
  id: number;
  name: string;
  reason: 'unknown' | 'lastAdministrator';
}

/**
 * Returns the users because of which a bulk change was rejected as a whole (API 3.5): users that do not exist,
 * or the selected administrators, of whom one has to remain. Empty if the error has another reason.
 */
export function findRejectedUsers(
  error: CallboardError,
  selected: SelectedRows<AdminUserResponse>,
): RejectedUser[] {
  if (error.key === 'UNKNOWN_USERS')
    return error.numbers.map((id) => ({ id, name: selected.get(id)?.name ?? String(id), reason: 'unknown' }));
  if (error.field !== 'status' && error.field !== 'role') return [];
  return [...selected.values()]
    .filter(({ role, status }) => role === 'admin' && status === 1)
    .map(({ id, name }) => ({ id, name, reason: 'lastAdministrator' }));
}
