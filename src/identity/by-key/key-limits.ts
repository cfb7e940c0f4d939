import type { Caller } from '../../common/auth/caller';
import { BusinessError } from '../../common/errors/business-error';

/**
 * What a key with `users:write` may not do: change an administrator, make one, or set a password (contract 13).
 * @param isTooMuch whether the caller is about to
 * @throws {BusinessError} FORBIDDEN
 */
export function refuseKey({ apiKey }: Caller, isTooMuch: boolean): void {
  if (apiKey !== undefined && isTooMuch) throw new BusinessError('FORBIDDEN');
}
