import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Principal } from '../../common/auth/principal';
import { BusinessError } from '../../common/errors/business-error';
import { foldCase } from '../../common/fold-case';
import { Acquaintances } from '../acquaintances';
import type { PeopleResponse, ProfileResponse, SearchPeopleQuery } from '../dto/person.dto';
import { foundByName, foundExactly, profileOf } from './directory.queries';
import { VisibleUsers } from './visible-users';

/** Finding people (contract 16.1). */
@Injectable()
export class DirectoryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly visible: VisibleUsers,
    private readonly acquaintances: Acquaintances,
  ) {}

  /**
   * Those whom a keyword finds: by the whole account or the id first, then by the part of the name, then by id.
   * @throws {BusinessError} TOO_MANY_REQUESTS: more than 30 a minute
   */
  async search(principal: Principal, { keyword, limit }: SearchPeopleQuery): Promise<PeopleResponse> {
    await this.visible.count(principal);
    const mode = this.visible.modeFor(principal);
    if (mode === 'off') return { items: [] };
    const { manager } = this.dataSource;
    const folded = foldCase(keyword);
    const exact = await foundExactly(manager, principal.id, { accountKey: folded, id: idIn(keyword) });
    if (mode === 'exact') return { items: exact.slice(0, limit) };
    const byName = await foundByName(manager, principal.id, folded, {
      // Some of those may have been found already.
      limit: limit + exact.length,
      hiddenToo: principal.role === 'admin',
    });
    const others = byName.filter(({ id }) => exact.every((one) => one.id !== id));
    return { items: [...exact, ...others].slice(0, limit) };
  }

  /**
   * One user.
   * @throws {BusinessError} USER_NOT_FOUND, also for strangers where the directory is off; TOO_MANY_REQUESTS: look-ups of
   *   strangers count as searches
   */
  async profile(principal: Principal, id: number): Promise<ProfileResponse> {
    const row = (await this.visible.lookUp(principal, id))
      ? await profileOf(this.dataSource.manager, principal.id, id)
      : undefined;
    if (row === undefined) throw new BusinessError('USER_NOT_FOUND');
    return {
      id: row.id,
      name: row.name,
      avatar: row.avatar,
      is_active: row.status === 1,
      is_blocked: Boolean(row.is_blocked),
      conversation_id: await this.acquaintances.chats.singleChatOf(principal.id, id),
    };
  }
}

/** The id that a keyword may be. */
function idIn(keyword: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(keyword) ? Number(keyword) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}
