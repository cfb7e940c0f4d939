import { BusinessError } from '../../common/errors/business-error';
import type { UsersService } from '../../identity/users.service';

/** @throws {BusinessError} VALIDATION `用户不存在: 7, 9` when some of the ids are nobody's (contract 1.3) */
export async function assertUsersExist(users: UsersService, ids: number[]): Promise<void> {
  const known = await users.findByIds(ids);
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new BusinessError('VALIDATION', { message: (words) => words.unknownUsers(unknown) });
}
