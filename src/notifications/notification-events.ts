import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../events/events.service';
import { inChunks } from './chunks';
import type { AddedNotification } from './deliveries';
import { type NotificationResponse, toNotificationResponse } from './dto/notification.dto';
import { NotificationEntity } from './entities/notification.entity';
import type { LockedInbox } from './locked-inbox';

/** Tells the owners of inboxes what becomes of them, in the transactions that change them (contract 7). */
@Injectable()
export class NotificationEvents {
  constructor(private readonly events: EventsService) {}

  /** `notification.created` for each notification that has just come in. */
  async created(em: EntityManager, inboxes: LockedInbox[], added: AddedNotification[]): Promise<void> {
    const unread = new Map(inboxes.map((inbox) => [inbox.user_id, inbox.unread]));
    for (const chunk of inChunks(added)) {
      const ids = await idsOf(em, chunk);
      this.events.append(
        em,
        chunk.map((row) => ({
          userId: row.user_id,
          type: 'notification.created',
          payload: {
            notification: toNotificationResponse({ ...row, id: ids.get(keyOf(row)) ?? 0 }, row.unread_epoch),
            ...unread.get(row.user_id),
          },
        })),
      );
    }
  }

  /** Nothing yet: the inboxes of those who listen take it in at once, and that makes the events. */
  broadcast(em: EntityManager): void {
    this.events.announceToAll(em);
  }

  /** The same number twice: in an item of the poll, `id` is the cursor. */
  read(em: EntityManager, inbox: LockedInbox, id: number): void {
    this.#tell(em, inbox, 'notification.read', { id, notification_id: id });
  }

  unread(em: EntityManager, inbox: LockedInbox, notification: NotificationResponse): void {
    this.#tell(em, inbox, 'notification.unread', { notification });
  }

  deleted(em: EntityManager, inbox: LockedInbox, id: number): void {
    this.#tell(em, inbox, 'notification.deleted', { id, notification_id: id });
  }

  /** `notification_type` is null when all types were meant; `type` is the event's own. */
  allRead(em: EntityManager, inbox: LockedInbox, notificationType: string | undefined): void {
    this.#tell(em, inbox, 'notification.all_read', { notification_type: notificationType ?? null });
  }

  #tell(em: EntityManager, { user_id, unread }: LockedInbox, type: string, payload: object): void {
    this.events.append(em, [{ userId: user_id, type, payload: { ...payload, ...unread } }]);
  }
}

const keyOf = ({ user_id, seq }: { user_id: number; seq: number }): string => `${user_id}:${seq}`;

/** The ids that the database allotted to rows, by their place in their inboxes. */
async function idsOf(em: EntityManager, rows: AddedNotification[]): Promise<Map<string, number>> {
  const found = await em.find(NotificationEntity, {
    select: { id: true, user_id: true, seq: true },
    where: rows.map(({ user_id, seq }) => ({ user_id, seq })),
  });
  return new Map(found.map((row) => [keyOf(row), row.id]));
}
