import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../audit/recording/record-audit';
import type { IdempotencyRecord } from '../../database/idempotency/idempotency-record';
import { Transactions } from '../../database/transactions';
import { DomainEvents } from '../../outbox/domain-events';
import type { SendNotificationResponse } from '../dto/notification.dto';
import type { SendNotificationRequest } from '../dto/send-notification.dto';
import type { NotificationContent } from '../rules/notification-content.rules';
import { AnnouncementWriter, type AnnouncementSender, type SentNotification } from './announcement-writer';
import { AnnouncementsService } from './announcements.service';
import { NotificationsService } from './notifications.service';

/** Sends the notifications of administrators and integrations (API 10.3, 10.4). */
@Injectable()
export class NotificationSenderService {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly writer: AnnouncementWriter,
    private readonly announcements: AnnouncementsService,
    private readonly transactions: Transactions,
    private readonly domainEvents: DomainEvents,
  ) {}

  /**
   * Sends to named users (directly into their inboxes), to all users, or to all users with a role. A repeated
   * idempotency key returns the result of the first request. Everything except a message to one named user is an
   * announcement.
   * @param by the sender
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9`, nothing written; REQUEST_ID_REUSED
   */
  async send(
    body: SendNotificationRequest,
    by: AnnouncementSender,
    idempotency?: IdempotencyRecord,
  ): Promise<SendNotificationResponse> {
    const { user_ids = [], broadcast = false, role, dedupe_key, ...text } = body;
    const message = { ...text, dedupeKey: dedupe_key };
    const isBroadcast = broadcast || role !== undefined;
    const send = async (em: EntityManager): Promise<SentNotification> => {
      if (isBroadcast) return this.writer.broadcast(em, message, role, by);
      if (user_ids.length > 1) return this.writer.toUsers(em, user_ids, message, by);
      const created = await this.notifications.notify(em, user_ids, message);
      return { announcementId: null, audience: 'users', created };
    };
    return this.transactions.runIdempotent(idempotency, body, {
      create: async (run) => {
        const result = await run(
          async (em) => {
            const sent = await send(em);
            // Zero if its dedupe key has reached all recipients before: nothing was sent.
            if (sent.created > 0) this.#recordDomainEvent(em, message, sent);
            this.#recordAudit(em, body, sent);
            // A message to one user has no id: the number of recipients, which never changes, is stored instead.
            return { id: sent.announcementId ?? sent.created, ...sent };
          },
          { retryOnDuplicateKey: isBroadcast },
        );
        return { created: result.created, announcement_id: result.announcementId };
      },
      replay: async (id) => {
        if (!isBroadcast && user_ids.length <= 1) return { created: id, announcement_id: null };
        const { recipients } = await this.announcements.get(id);
        return { created: recipients, announcement_id: id };
      },
    });
  }

  /**
   * Audits an announcement, whether or not it reached a user, and a message to one user, which has no id, if it did.
   */
  #recordAudit(
    em: EntityManager,
    { user_ids, type, title, content, data, critical }: SendNotificationRequest,
    { announcementId, audience, created }: SentNotification,
  ): void {
    const after = { audience, user_ids, type, title, content, data, critical, created };
    if (announcementId !== null)
      recordAudit(em, { action: 'announcement.send', object_id: announcementId, before: null, after });
    else if (created > 0) recordAudit(em, { object_id: null, before: null, after });
  }

  #recordDomainEvent(
    em: EntityManager,
    { type, title, content }: NotificationContent,
    { announcementId, audience, created }: SentNotification,
  ): void {
    const subject = announcementId === null ? 'notification' : `announcement:${announcementId}`;
    this.domainEvents.record(em, 'notification.sent', subject, () => ({
      announcement_id: announcementId,
      audience,
      notification_type: type,
      created,
      title,
      content,
    }));
  }
}
