import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Languages } from '../../../common/words/languages';
import type { Words } from '../../../common/words/words';
import type { ConversationId, UserId } from '../../../common/ids';
import { CONFIG, type Config } from '../../../config/config';
import { UsersService } from '../../../identity/users.service';
import { ConversationEntity } from '../../entities/conversation.entity';
import type { Notice } from '../../rules/notice';
import { FAN_OUT_ON_WRITE_LIMIT } from '../../store/membership-changes';
import { NoticeWriter } from './notice-writer';

/** Of how many a notice gives the names. */
const NAMES = 3;

/** A group's name and picture. */
interface Face {
  name: string;
  avatar: string | null;
}

/**
 * Notices of who comes into a group and goes, and of its name and picture; none unless `CHAT_NOTICES` has `members`. Coming
 * and going are told in groups of up to 200, counted after the act (contract 16.3). The group is under its lock.
 */
@Injectable()
export class MemberNotices {
  readonly #isOn: boolean;

  constructor(
    private readonly users: UsersService,
    private readonly writer: NoticeWriter,
    private readonly languages: Languages,
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
    const [actor = '', ...names] = await this.#namesOf(em, [actorId, ...userIds.slice(0, NAMES)]);
    const content = this.#words.membersAdded({ actor, names, count: userIds.length });
    const notice = { event: 'members_added' as const, user_ids: [...userIds] };
    await this.writer.write(em, conversationId, actorId, { notice, content }, FAN_OUT_ON_WRITE_LIMIT);
  }

  /** The member has left, or, where the actor is somebody else, was removed. */
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

  /** What `changed` has to know of a group before it changes; undefined where notices are off. */
  async faceOf(em: EntityManager, id: ConversationId): Promise<Face | undefined> {
    return this.#isOn ? em.findOneByOrFail(ConversationEntity, { id }) : undefined;
  }

  /** The group's name or picture has changed, or both, which makes two; what is the same as before makes none. */
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

  get #words(): Words {
    return this.languages.words;
  }

  /** Names in the order of these ids. */
  async #namesOf(em: EntityManager, ids: number[]): Promise<string[]> {
    const users = await this.users.findByIds(ids, em);
    return ids.map((id) => users.get(id)?.name ?? this.#words.userWithoutName(id));
  }
}
