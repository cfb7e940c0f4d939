import { Injectable } from '@nestjs/common';
import type { ConversationId, UserId } from '../../common/ids';
import { ItemsPage, offsetOf } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import type { MemberResponse } from '../dto/conversation.dto';
import type { MembersQuery } from '../dto/conversation-requests.dto';
import { LocalTime } from '../rules/local-time.rules';
import { membersByJoining } from '../store/membership-changes.store';
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
   * Returns a page of the members, in the order in which they joined.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN
   */
  async list(
    userId: UserId,
    conversationId: ConversationId,
    page: MembersQuery,
  ): Promise<ItemsPage<MemberResponse>> {
    const { member_count } = await requireMembership(this.transactions.read(), userId, conversationId);
    return this.page(conversationId, member_count, page);
  }

  /** Returns a page of the members of any conversation. @param total number of all members */
  async page(
    conversationId: ConversationId,
    total: number,
    page: MembersQuery,
  ): Promise<ItemsPage<MemberResponse>> {
    const slice = { offset: offsetOf(page), limit: page.per_page };
    const members = await membersByJoining(this.transactions.read(), conversationId, slice);
    const users = await this.users.findByIds(members.map(({ user_id }) => user_id));
    const items = members.map(({ user_id, role, joined_at }) => ({
      user_id,
      name: users.get(user_id)?.name ?? null,
      avatar: users.get(user_id)?.avatar ?? null,
      role,
      joined_at: this.time.dateTime(joined_at),
    }));
    return new ItemsPage(items, total, page);
  }
}
