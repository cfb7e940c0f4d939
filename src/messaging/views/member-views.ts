import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { ItemsPage, offsetOf } from '../../common/http/page';
import { UsersService } from '../../identity/users.service';
import type { MemberResponse } from '../dto/conversation.dto';
import type { MembersQuery } from '../dto/conversation-requests.dto';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { LocalTime } from '../rules/local-time';
import { requireMembership } from '../store/membership';

/** In the order of joining; `join_seq` never runs against it and comes first for the index's sake. */
export const BY_JOINING = { join_seq: 'ASC', joined_at: 'ASC', user_id: 'ASC' } as const;

/** Who is in a conversation. */
@Injectable()
export class MemberViews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly time: LocalTime,
  ) {}

  /**
   * A page of the members, those who have been there longest first.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN
   */
  async list(
    userId: UserId,
    conversationId: ConversationId,
    page: MembersQuery,
  ): Promise<ItemsPage<MemberResponse>> {
    const em = this.dataSource.manager;
    const { member_count } = await requireMembership(em, userId, conversationId);
    const members = await em.find(ConversationMemberEntity, {
      where: { conversation_id: conversationId },
      order: BY_JOINING,
      skip: offsetOf(page),
      take: page.per_page,
    });
    const users = await this.users.findByIds(members.map(({ user_id }) => user_id));
    const items = members.map(({ user_id, role, joined_at }) => ({
      user_id,
      name: users.get(user_id)?.name ?? null,
      avatar: users.get(user_id)?.avatar ?? null,
      role,
      joined_at: this.time.dateTime(joined_at),
    }));
    return new ItemsPage(items, member_count, page);
  }
}
