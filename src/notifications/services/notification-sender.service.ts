import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { noteAudit } from '../../audit/trail/note-audit';
import type { Creation } from '../../database/creations/creation';
import { Transactions } from '../../database/transactions';
import { Acts } from '../../outbox/acts';
import type { SendNotificationResponse } from '../dto/notification.dto';
import type { SendNotificationRequest } from '../dto/send-notification.dto';
import type { Audience } from '../events/act-payloads';
import type { Message } from '../rules/message';
import { Broadcasts } from './broadcasts';
import { NotificationsService } from './notifications.service';

/** What was sent, to whom, and to how many. */
interface Sent {
  announcementId: number | null;
  audience: Audience;
  created: number;
}

/** What an administrator sends (contract 5). */
@Injectable()
export class NotificationSenderService {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly broadcasts: Broadcasts,
    private readonly transactions: Transactions,
    private readonly acts: Acts,
  ) {}

  /**
   * To the named users at once, or to everyone; by the same key once, which then answers what it did.
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9`, nothing written; REQUEST_ID_REUSED
   */
  async send(body: SendNotificationRequest, creation?: Creation): Promise<SendNotificationResponse> {
    const { user_ids = [], broadcast = false, dedupe_key, ...text } = body;
    const message = { ...text, dedupeKey: dedupe_key };
    return this.transactions.once(creation, body, {
      make: async (run) => {
        // What is sent has no id of its own. How many it reached stays as it was, and stands for one.
        const { id: created } = await run(
          async (em) => {
            const sent = await (broadcast
              ? this.#toEverybody(em, message)
              : this.#toUsers(em, user_ids, message));
            // Whom its key had reached before, it does not reach again: then nothing was sent.
            if (sent.created > 0) this.#record(em, body, sent);
            return { id: sent.created };
          },
          { retryWhenTaken: broadcast },
        );
        return { created };
      },
      again: (created) => Promise.resolve({ created }),
    });
  }

  async #toEverybody(em: EntityManager, message: Message): Promise<Sent> {
    const { id, created } = await this.broadcasts.send(em, message);
    return { announcementId: id, audience: 'all', created };
  }

  async #toUsers(em: EntityManager, userIds: number[], message: Message): Promise<Sent> {
    const created = await this.notifications.notify(em, userIds, message);
    return { announcementId: null, audience: 'users', created };
  }

  #record(
    em: EntityManager,
    { user_ids, type, title, content, data }: SendNotificationRequest,
    { announcementId, audience, created }: Sent,
  ): void {
    const after = { audience, user_ids, type, title, content, data, created };
    noteAudit(em, { object_id: announcementId, before: null, after });
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
