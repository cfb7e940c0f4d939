import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/auth/principal';
import { BusinessError } from '../../common/errors/business-error';
import { foldCase } from '../../common/fold-case';
import { Transactions } from '../../database/transactions';
import { ContactGraph } from '../contact-graph';
import type { PeopleResponse, ProfileResponse, SearchPeopleQuery } from '../dto/person.dto';
import { foundByName, foundExactly, profileOf } from './directory.store';
import { VisibleUsers } from './visible-users';

/** Searches users and returns profiles (API 9.1). */
@Injectable()
export class DirectoryService {
  constructor(
    private readonly transactions: Transactions,
    private readonly visible: VisibleUsers,
    private readonly contacts: ContactGraph,
  ) {}

  /**
   * Searches users by keyword. Matches of the whole account or id come first, then matches by name, sorted by name part
   * and id.
   * @throws {BusinessError} TOO_MANY_REQUESTS: more than 30 per minute
   */
  async search(principal: Principal, { keyword, limit }: SearchPeopleQuery): Promise<PeopleResponse> {
    await this.visible.count(principal);
    const mode = this.visible.modeFor(principal);
    if (mode === 'off') return { items: [] };
    const manager = this.transactions.read();
    const folded = foldCase(keyword);
    const exact = await foundExactly(manager, principal.id, { accountKey: folded, id: parseId(keyword) });
    if (mode === 'exact') return { items: exact.slice(0, limit) };
    const byName = await foundByName(manager, principal.id, folded, {
      // The exact matches may be among them.
      limit: limit + exact.length,
      hiddenToo: principal.role === 'admin',
    });
    const additional = byName.filter(({ id }) => exact.every((match) => match.id !== id));
    return { items: [...exact, ...additional].slice(0, limit) };
  }

  /**
   * Returns the profile of a user.
   * @throws {BusinessError} USER_NOT_FOUND, with the directory `off` also for users who are no contacts;
   *   TOO_MANY_REQUESTS: look-ups of users who are no contacts count as searches
   */
  async profile(principal: Principal, id: number): Promise<ProfileResponse> {
    const row = (await this.visible.lookUp(principal, id))
      ? await profileOf(this.transactions.read(), principal.id, id)
      : undefined;
    if (row === undefined) throw new BusinessError('USER_NOT_FOUND');
    const { status, is_blocked, ...person } = row;
    return {
      ...person,
      is_active: status === 1,
      is_blocked: Boolean(is_blocked),
      conversation_id: await this.contacts.chats.singleChatOf(principal.id, id),
    };
  }
}

/** Parses a keyword as an id; undefined if it is none. */
function parseId(keyword: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(keyword) ? Number(keyword) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}
