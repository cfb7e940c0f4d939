import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { updateRows } from '../../database/rows';
import { UsersService } from '../../identity/users.service';
import { AnnouncementEntity } from '../entities/announcement.entity';
import { type Message, toStoredData } from '../rules/message';
import { insertAnnouncement, nextBroadcastSeq } from '../store/announcement-rows';
import { ensureInboxes } from '../store/inbox-rows';
import { Inboxes } from './inboxes';

/** Who sends: a user, or a back end by its key. */
export interface Sender {
  user?: { id: number };
  apiKey?: { id: number; name: string };
}

/** What was announced, and to how many. */
export interface Announced {
  id: number;
  created: number;
}

type SentBy = Pick<AnnouncementEntity, 'sender_type' | 'sender_id' | 'sender_name'>;

/** Sends to more than one user, each time with a record of it, within the caller's transaction. */
@Injectable()
export class Announcing {
  constructor(
    private readonly inboxes: Inboxes,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends to everybody, or to everybody of a stored role: one row, whatever the number of users; each inbox takes it in when
   * it is next looked at, if its owner has the role then. Another one at the same moment takes the same place, and one of
   * the two transactions must start over: so places are in the order of commit, and no inbox can pass over one that was
   * still on its way.
   */
  async broadcast(
    em: EntityManager,
    message: Message,
    role: Role | undefined,
    by: Sender,
  ): Promise<Announced> {
    const now = this.clock.now();
    await this.#ensureInboxesOfNewcomers(em, now);
    const created = await this.users.count(em, role);
    const id = await insertAnnouncement(em, {
      ...columnsOf(message),
      ...(await this.#sentBy(em, by)),
      broadcast_seq: await nextBroadcastSeq(em),
      role: role ?? null,
      recipients: created,
      created_at: now,
    });
    this.inboxes.announceBroadcast(em);
    return { id, created };
  }

  /**
   * Sends to some users, into their inboxes at once.
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9`
   */
  async toUsers(em: EntityManager, userIds: number[], message: Message, by: Sender): Promise<Announced> {
    const now = this.clock.now();
    const inboxes = await this.inboxes.lock(em, userIds);
    const id = await insertAnnouncement(em, {
      ...columnsOf(message),
      ...(await this.#sentBy(em, by)),
      broadcast_seq: null,
      role: null,
      recipients: 0,
      created_at: now,
    });
    const created = await this.inboxes.deliver(em, inboxes, {
      ...message,
      createdAt: now,
      announcementId: id,
    });
    await updateRows(em, AnnouncementEntity, { id }, { recipients: created });
    return { id, created };
  }

  async #sentBy(em: EntityManager, { user, apiKey }: Sender): Promise<SentBy> {
    if (user !== undefined) {
      const sender = (await this.users.findByIds([user.id], em)).get(user.id);
      return { sender_type: 'user', sender_id: user.id, sender_name: sender?.name ?? null };
    }
    if (apiKey !== undefined) return { sender_type: 'key', sender_id: apiKey.id, sender_name: apiKey.name };
    return { sender_type: null, sender_id: null, sender_name: null };
  }

  /**
   * A user without an inbox gets the broadcasts dated after its own creation. For users that exist now, but whose
   * date is not before this broadcast's (the same millisecond, or a clock that is ahead), that rule would fail:
   * their inboxes are opened before it is written.
   */
  async #ensureInboxesOfNewcomers(em: EntityManager, now: Date): Promise<void> {
    await ensureInboxes(em, await this.users.findCreatedSince(now, em));
  }
}

const columnsOf = ({ type, title, content, dedupeKey, data }: Message) => ({
  type,
  title,
  content,
  data: toStoredData(data),
  dedupe_key: dedupeKey ?? null,
});
