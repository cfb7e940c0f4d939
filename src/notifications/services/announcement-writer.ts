import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { EventsService } from '../../events/events.service';
import { UsersService } from '../../identity/users.service';
import { announcementAudience, type Audience } from '../rules/audience.rules';
import { type NotificationContent, toStoredData } from '../rules/notification-content.rules';
import {
  insertAnnouncement,
  newestBroadcastSeq,
  type NewAnnouncement,
  setRecipients,
} from '../store/announcement.store';
import { ensureInboxes } from '../store/inbox.store';
import { Inboxes } from './inboxes';

/** The sender: a user, or an integration with its API key. */
export interface AnnouncementSender {
  user?: { id: number };
  apiKey?: { id: number; name: string };
}

/** A sent notification. */
export interface SentNotification {
  /** Null: sent to one user. */
  announcementId: number | null;
  audience: Audience;
  /** Number of recipients. */
  created: number;
}

/** Sends announcements, within the caller's transaction. */
@Injectable()
export class AnnouncementWriter {
  constructor(
    private readonly inboxes: Inboxes,
    private readonly users: UsersService,
    private readonly events: EventsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends to all users, or to all users with a stored role. Inserts one row, regardless of the number of users; each
   * inbox materialises it when it is next read, if its owner has the role then. A concurrent broadcast reads the same
   * sequence number, and the unique index makes one of the two transactions start over. So sequence numbers are in
   * commit order, and no inbox can skip a broadcast that is not committed yet.
   */
  async broadcast(
    em: EntityManager,
    message: NotificationContent,
    role: Role | undefined,
    by: AnnouncementSender,
  ): Promise<SentNotification> {
    const now = this.clock.now();
    // A user without an inbox receives the broadcasts dated after the user's creation. That rule would exclude existing
    // users whose creation date is not before the date of this broadcast (the same millisecond, or a clock that is
    // ahead). Their inboxes are therefore opened before it is inserted.
    await ensureInboxes(em, await this.users.findCreatedSince(now, em));
    const created = await this.users.count(em, role);
    const sender = await this.#senderColumns(em, by);
    // Read immediately before the insert: of concurrent broadcasts with the same number, all but one start over.
    const addressed = { broadcast_seq: (await newestBroadcastSeq(em)) + 1, role: role ?? null };
    const columns = { ...sender, ...addressed, recipients: created, created_at: now };
    const announcementId = await this.#insert(em, message, columns);
    // After the commit the inboxes of connected users materialise the broadcast, which appends `notification.created`.
    this.events.notifyAll(em);
    return { announcementId, audience: announcementAudience(addressed), created };
  }

  /**
   * Sends to the given users, directly into their inboxes.
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9`
   */
  async toUsers(
    em: EntityManager,
    userIds: number[],
    message: NotificationContent,
    by: AnnouncementSender,
  ): Promise<SentNotification> {
    const now = this.clock.now();
    const inboxes = await this.inboxes.lock(em, userIds);
    const sender = await this.#senderColumns(em, by);
    const columns = { ...sender, broadcast_seq: null, role: null, recipients: 0, created_at: now };
    const announcementId = await this.#insert(em, message, columns);
    const dated = { ...message, createdAt: now, announcementId };
    const created = await this.inboxes.deliver(em, inboxes, dated);
    await setRecipients(em, announcementId, created);
    return { announcementId, audience: 'users', created };
  }

  #insert(
    em: EntityManager,
    { type, title, content, dedupeKey, data, critical }: NotificationContent,
    columns: Omit<NewAnnouncement, 'type' | 'title' | 'content' | 'data' | 'dedupe_key' | 'critical'>,
  ): Promise<number> {
    return insertAnnouncement(em, {
      type,
      title,
      content,
      data: toStoredData(data),
      dedupe_key: dedupeKey ?? null,
      critical: critical === true,
      ...columns,
    });
  }

  async #senderColumns(
    em: EntityManager,
    { user, apiKey }: AnnouncementSender,
  ): Promise<Pick<NewAnnouncement, 'sender_type' | 'sender_id' | 'sender_name'>> {
    if (user !== undefined) {
      const sender = (await this.users.findByIds([user.id], em)).get(user.id);
      return { sender_type: 'user', sender_id: user.id, sender_name: sender?.name ?? null };
    }
    if (apiKey !== undefined) return { sender_type: 'key', sender_id: apiKey.id, sender_name: apiKey.name };
    return { sender_type: null, sender_id: null, sender_name: null };
  }
}
