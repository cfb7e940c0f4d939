import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../../events/events.service';
import { inChunks } from '../../common/concurrency/chunks';
import type { AddedNotification } from '../store/deliveries';
import { type NotificationResponse, toNotificationResponse } from '../dto/notification.dto';
import { NotificationEntity } from '../entities/notification.entity';
import type { LockedInbox } from '../store/locked-inbox';

/** Writes for the owners of inboxes what becomes of them, in the transactions that change them (contract 7). */
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
        chunk.map((row) => {
          const notification = toNotificationResponse(
            { ...row, id: ids.get(keyOf(row)) ?? 0 },
            row.unread_epoch,
          );
          const { unread_count = 0, by_type = {} } = unread.get(row.user_id) ?? {};
          const payload = { notification, unread_count, by_type };
          return { userId: row.user_id, type: 'notification.created', payload };
        }),
      );
    }
  }

  /** Nothing yet: the inboxes of those who listen take it in at once, and that makes the events. */
  broadcast(em: EntityManager): void {
    this.events.announceToAll(em);
  }

  read(em: EntityManager, { user_id: userId, unread }: LockedInbox, id: number): void {
    const payload = { id, notification_id: id, ...unread };
    this.events.append(em, [{ userId, type: 'notification.read', payload }]);
  }

  unread(
    em: EntityManager,
    { user_id: userId, unread }: LockedInbox,
    notification: NotificationResponse,
  ): void {
    const payload = { notification, ...unread };
    this.events.append(em, [{ userId, type: 'notification.unread', payload }]);
  }

  deleted(em: EntityManager, { user_id: userId, unread }: LockedInbox, id: number): void {
    const payload = { id, notification_id: id, ...unread };
    this.events.append(em, [{ userId, type: 'notification.deleted', payload }]);
  }

  /** @param notificationType the type of which all are read; undefined: of all types */
  allRead(
    em: EntityManager,
    { user_id: userId, unread }: LockedInbox,
    notificationType: string | undefined,
  ): void {
    const payload = { notification_type: notificationType ?? null, ...unread };
    this.events.append(em, [{ userId, type: 'notification.all_read', payload }]);
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
