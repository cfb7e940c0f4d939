import type { Caller } from '../../common/auth/caller';
import { BusinessError } from '../../common/errors/business-error';

/**
 * Rejects changes that an API key with `users:write` must not make: changing an administrator, creating one, or setting
 * a password (API 4.2).
 * @param isTooMuch whether the request contains such a change
 * @throws {BusinessError} FORBIDDEN
 */
export function refuseKey({ apiKey }: Caller, isTooMuch: boolean): void {
  if (apiKey !== undefined && isTooMuch) throw new BusinessError('FORBIDDEN');
}
