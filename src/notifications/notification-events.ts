import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../events/events.service';
import { inChunks } from './chunks';
import { ROOT_LEVEL } from './count-tree';
import type { AddedNotification } from './deliveries';
import { type NotificationResponse, toNotificationResponse } from './dto/notification.dto';
import type { NotificationCountEntity } from './entities/notification-count.entity';
import { NotificationEntity } from './entities/notification.entity';

/** What an inbox has unread, as every event about it says. */
interface Unread {
  unread_count: number;
  by_type: Record<string, number>;
}

/** Tells the owners of inboxes what becomes of them, in the transactions that change them (contract 7). */
@Injectable()
export class NotificationEvents {
  constructor(private readonly events: EventsService) {}

  /** `notification.created` for each notification that has just come in. */
  async created(em: EntityManager, added: AddedNotification[]): Promise<void> {
    for (const chunk of inChunks(added)) {
      const unread = await unreadOf(em, [...new Set(chunk.map(({ user_id }) => user_id))]);
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
  read(em: EntityManager, userId: number, id: number): Promise<void> {
    return this.#tell(em, userId, 'notification.read', { id, notification_id: id });
  }

  unread(em: EntityManager, userId: number, notification: NotificationResponse): Promise<void> {
    return this.#tell(em, userId, 'notification.unread', { notification });
  }

  deleted(em: EntityManager, userId: number, id: number): Promise<void> {
    return this.#tell(em, userId, 'notification.deleted', { id, notification_id: id });
  }

  /** `notification_type` is null when all types were meant; `type` is the event's own. */
  allRead(em: EntityManager, userId: number, notificationType: string | undefined): Promise<void> {
    const payload = { notification_type: notificationType ?? null };
    return this.#tell(em, userId, 'notification.all_read', payload);
  }

  async #tell(em: EntityManager, userId: number, type: string, payload: object): Promise<void> {
    const unread = await unreadOf(em, [userId]);
    this.events.append(em, [{ userId, type, payload: { ...payload, ...unread.get(userId) } }]);
  }
}

type Root = Pick<NotificationCountEntity, 'user_id' | 'type' | 'unread'>;

async function unreadOf(em: EntityManager, userIds: number[]): Promise<Map<number, Unread>> {
  const roots: Root[] = await em.query(
    `SELECT user_id, type, unread FROM notification_counts
     WHERE level = ${ROOT_LEVEL} AND block = 0 AND unread > 0 AND user_id IN (${userIds.map(() => '?').join(', ')})`,
    userIds,
  );
  const byUser = Map.groupBy(roots, ({ user_id }) => user_id);
  return new Map(
    userIds.map((userId) => {
      const own = byUser.get(userId) ?? [];
      const unread_count = own.reduce((sum, { unread }) => sum + unread, 0);
      return [
        userId,
        { unread_count, by_type: Object.fromEntries(own.map((root) => [root.type, root.unread])) },
      ];
    }),
  );
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
