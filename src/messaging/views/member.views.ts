import { Injectable } from '@nestjs/common';
import type { ConversationId, UserId } from '../../common/ids';
import { ItemsPage, offsetOf } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import type { MemberResponse } from '../dto/conversation.dto';
import type { MembersQuery } from '../dto/conversation-requests.dto';
import type { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { LocalTime } from '../rules/local-time.rules';
import { memberRows, membersByJoining, namesOfMembers } from '../store/membership-changes.store';
import { foldCharacters } from '../search/folded-text.rules';
import { requireMembership } from '../store/membership.store';

/** Lists the members of a conversation. */
@Injectable()
export class MemberViews {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly time: LocalTime,
  ) {}

  /**
   * Returns a page of the members as one of them sees it.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN
   */
  async list(
    userId: UserId,
    conversationId: ConversationId,
    query: MembersQuery,
  ): Promise<ItemsPage<MemberResponse>> {
    const { member_count } = await requireMembership(this.transactions.read(), userId, conversationId);
    return this.page(conversationId, member_count, query);
  }

  /**
   * Returns a page of the members of any conversation, or of those whose name contains a keyword, in the order in which
   * they joined. With a keyword, the names of all members are read, because the databases fold them differently.
   * @param total number of all members
   */
  async page(
    conversationId: ConversationId,
    total: number,
    { keyword, ...page }: MembersQuery,
  ): Promise<ItemsPage<MemberResponse>> {
    const em = this.transactions.read();
    const slice = { offset: offsetOf(page), limit: page.per_page };
    if (keyword === undefined) {
      const members = await membersByJoining(em, conversationId, slice);
      return new ItemsPage(await this.#toResponses(members), total, page);
    }
    const folded = foldCharacters(keyword);
    const found = (await namesOfMembers(em, conversationId)).filter(
      ({ name }) => name !== null && foldCharacters(name).includes(folded),
    );
    const ids = found.slice(slice.offset, slice.offset + slice.limit).map(({ user_id }) => user_id);
    const byId = new Map((await memberRows(em, conversationId, ids)).map((row) => [row.user_id, row]));
    const members = ids.flatMap((id) => byId.get(id) ?? []);
    return new ItemsPage(await this.#toResponses(members), found.length, page);
  }

  async #toResponses(members: readonly ConversationMemberEntity[]): Promise<MemberResponse[]> {
    const users = await this.users.findByIds(members.map(({ user_id }) => user_id));
    return members.map(({ user_id, role, joined_at }) => ({
      user_id,
      name: users.get(user_id)?.name ?? null,
      avatar: users.get(user_id)?.avatar ?? null,
      role,
      joined_at: this.time.dateTime(joined_at),
    }));
  }
}
