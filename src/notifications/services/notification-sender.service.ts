import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { noteAudit } from '../../audit/trail/note-audit';
import type { Creation } from '../../database/creations/creation';
import { Transactions } from '../../database/transactions';
import { Acts } from '../../outbox/acts';
import type { SendNotificationResponse } from '../dto/notification.dto';
import type { SendNotificationRequest } from '../dto/send-notification.dto';
import { type Audience, audienceOf } from '../rules/audience';
import type { Message } from '../rules/message';
import { Announcing, type Sender } from './announcing';
import { AnnouncementsService } from './announcements.service';
import { NotificationsService } from './notifications.service';

/** What was sent, to whom, and to how many. */
interface Sent {
  announcementId: number | null;
  audience: Audience;
  created: number;
}

/** What an administrator sends (contract 5, 14.3). */
@Injectable()
export class NotificationSenderService {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly announcing: Announcing,
    private readonly announcements: AnnouncementsService,
    private readonly transactions: Transactions,
    private readonly acts: Acts,
  ) {}

  /**
   * To the named users at once, or to everyone, or to everyone of a role; by the same key once, which then answers what it
   * did. What is for more than one user, or for whoever has a role, is an announcement.
   * @param by who sends it
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9`, nothing written; REQUEST_ID_REUSED
   */
  async send(
    body: SendNotificationRequest,
    by: Sender,
    creation?: Creation,
  ): Promise<SendNotificationResponse> {
    const { user_ids = [], broadcast = false, role, dedupe_key, ...text } = body;
    const message = { ...text, dedupeKey: dedupe_key };
    const isBroadcast = broadcast || role !== undefined;
    const send = async (em: EntityManager): Promise<Sent> => {
      if (isBroadcast) {
        const { id, created } = await this.announcing.broadcast(em, message, role, by);
        return {
          announcementId: id,
          audience: audienceOf({ broadcast_seq: id, role: role ?? null }),
          created,
        };
      }
      if (user_ids.length > 1) {
        const { id, created } = await this.announcing.toUsers(em, user_ids, message, by);
        return { announcementId: id, audience: 'users', created };
      }
      const created = await this.notifications.notify(em, user_ids, message);
      return { announcementId: null, audience: 'users', created };
    };
    return this.transactions.once(creation, body, {
      make: async (run) => {
        const made = await run(
          async (em) => {
            const sent = await send(em);
            // Whom its key had reached before, it does not reach again: then nothing was sent.
            if (sent.created > 0) this.#record(em, message, sent);
            this.#note(em, body, sent);
            // What is for one user alone has no id of its own. How many it reached stays as it was, and stands for one.
            return { id: sent.announcementId ?? sent.created, ...sent };
          },
          { retryWhenTaken: isBroadcast },
        );
        return { created: made.created, announcement_id: made.announcementId };
      },
      again: async (id) => {
        if (!isBroadcast && user_ids.length <= 1) return { created: id, announcement_id: null };
        const { recipients } = await this.announcements.get(id);
        return { created: recipients, announcement_id: id };
      },
    });
  }

  /** What is sent to one user has no number of its own. An announcement is there, whomever it has reached. */
  #note(
    em: EntityManager,
    { user_ids, type, title, content, data }: SendNotificationRequest,
    { announcementId, audience, created }: Sent,
  ): void {
    const after = { audience, user_ids, type, title, content, data, created };
    if (announcementId !== null)
      noteAudit(em, { action: 'announcement.send', object_id: announcementId, before: null, after });
    else if (created > 0) noteAudit(em, { object_id: null, before: null, after });
  }

  #record(
    em: EntityManager,
    { type, title, content }: Message,
    { announcementId, audience, created }: Sent,
  ): void {
    const subject = announcementId === null ? 'notification' : `announcement:${announcementId}`;
    this.acts.record(em, 'notification.sent', subject, () => ({
      announcement_id: announcementId,
      audience,
      notification_type: type,
      created,
      title,
      content,
    }));
  }
}
