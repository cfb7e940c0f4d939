import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Catalogues } from '../../common/i18n/catalogues';
import type { MessageCatalogue } from '../../common/i18n/catalogue';
import type { ConversationId, UserId } from '../../common/ids';
import { CONFIG, type Config } from '../../config/config';
import { UsersService } from '../../identity/users.service';
import type { Notice } from '../rules/notice.rules';
import { conversationById, FAN_OUT_ON_WRITE_LIMIT } from '../store/membership-changes.store';
import { NoticeWriter } from './notice-writer';

/** Maximum number of added members that a notice names. */
const MAX_NAMES = 3;

/** A group's name and picture. */
interface Face {
  name: string;
  avatar: string | null;
}

/**
 * Writes notices of added, leaving and removed members and of changes of a group's name and picture, if `CHAT_NOTICES`
 * contains `members`. Notices about members are written in groups of at most 200 members, counted after the change
 * (API 8.11). The caller holds the conversation lock.
 */
@Injectable()
export class MemberNotices {
  readonly #isOn: boolean;

  constructor(
    private readonly users: UsersService,
    private readonly writer: NoticeWriter,
    private readonly languages: Catalogues,
    @Inject(CONFIG) { chatNotices }: Config,
  ) {
    this.#isOn = chatNotices.includes('members');
  }

  async added(
    em: EntityManager,
    conversationId: ConversationId,
    actorId: UserId,
    userIds: readonly number[],
  ): Promise<void> {
    if (!this.#isOn) return;
    const [actor = '', ...names] = await this.#namesOf(em, [actorId, ...userIds.slice(0, MAX_NAMES)]);
    const content = this.#words.membersAdded({ actor, names, count: userIds.length });
    const notice = { event: 'members_added' as const, user_ids: [...userIds] };
    await this.writer.write(em, conversationId, actorId, { notice, content }, FAN_OUT_ON_WRITE_LIMIT);
  }

  /** Writes that the member has left or, if the actor is another user, was removed. */
  async gone(
    em: EntityManager,
    conversationId: ConversationId,
    actorId: UserId,
    userId: UserId,
  ): Promise<void> {
    if (!this.#isOn) return;
    const [actor = '', name = ''] = await this.#namesOf(em, [actorId, userId]);
    const hasLeft = actorId === userId;
    const content = hasLeft ? this.#words.memberLeft(actor) : this.#words.memberRemoved({ actor, name });
    const notice: Notice = { event: hasLeft ? 'member_left' : 'member_removed', user_ids: [userId] };
    await this.writer.write(em, conversationId, actorId, { notice, content }, FAN_OUT_ON_WRITE_LIMIT);
  }

  /** Returns the name and picture to pass to `changed`, read before the change; undefined if notices are off. */
  async faceOf(em: EntityManager, id: ConversationId): Promise<Face | undefined> {
    return this.#isOn ? conversationById(em, id) : undefined;
  }

  /** Writes one notice for a new name and one for a new picture; none for a value that has not changed. */
  async changed(
    em: EntityManager,
    conversationId: ConversationId,
    actorId: UserId,
    before: Face | undefined,
    changes: Partial<Face>,
  ): Promise<void> {
    if (before === undefined) return;
    const { name, avatar } = { ...before, ...changes };
    const [actor = ''] = await this.#namesOf(em, [actorId]);
    if (name !== before.name) {
      const content = this.#words.groupRenamed({ actor, name });
      await this.writer.write(em, conversationId, actorId, { notice: { event: 'renamed', name }, content });
    }
    if (avatar !== before.avatar) {
      const content = this.#words.groupPictureChanged(actor);
      await this.writer.write(em, conversationId, actorId, { notice: { event: 'avatar_changed' }, content });
    }
  }

  get #words(): MessageCatalogue {
    return this.languages.catalogue;
  }

  /** Returns the users' names in the order of the ids. */
  async #namesOf(em: EntityManager, ids: number[]): Promise<string[]> {
    const users = await this.users.findByIds(ids, em);
    return ids.map((id) => users.get(id)?.name ?? this.#words.userWithoutName(id));
  }
}
