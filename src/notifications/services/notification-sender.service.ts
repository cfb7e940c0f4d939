import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import type { SendNotificationRequest } from '../dto/send-notification.dto';
import type { SendNotificationResponse } from '../dto/notification.dto';
import { BroadcastEntity } from '../entities/broadcast.entity';
import { ensureInboxes } from '../store/inbox-rows';
import { Inboxes } from './inboxes';
import { type Message, toStoredData } from '../rules/message';
import { NotificationsService } from './notifications.service';

/** What an administrator sends (contract 5). */
@Injectable()
export class NotificationSenderService {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly inboxes: Inboxes,
    private readonly users: UsersService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * To the named users at once, or to everyone.
   * @throws {BusinessError} VALIDATION `用户不存在: 7, 9`, nothing written
   */
  async send({
    user_ids = [],
    broadcast,
    dedupe_key,
    ...text
  }: SendNotificationRequest): Promise<SendNotificationResponse> {
    const message = { ...text, dedupeKey: dedupe_key };
    const created = broadcast
      ? await this.#broadcast(message)
      : await this.transactions.run((em) => this.notifications.notify(em, user_ids, message));
    return { created };
  }

  /**
   * One row, whatever the number of users; each inbox takes it in when it is next looked at. Returns how many users
   * there are. Another broadcast at the same moment takes the same id, and one of the two starts over: so ids are in
   * the order of commit, and no inbox can pass over one that was still on its way.
   */
  #broadcast({ type, title, content, dedupeKey, data }: Message): Promise<number> {
    return this.transactions.run(
      async (em) => {
        const now = this.clock.now();
        await this.#ensureInboxesOfNewcomers(em, now);
        const last = (await em.maximum(BroadcastEntity, 'id')) ?? 0;
        await em.insert(BroadcastEntity, {
          id: last + 1,
          type,
          title,
          content,
          data: toStoredData(data),
          dedupe_key: dedupeKey ?? null,
          created_at: now,
        });
        this.inboxes.announceBroadcast(em);
        return this.users.count(em);
      },
      { retryWhenTaken: true },
    );
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
