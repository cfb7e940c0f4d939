import type { Loader } from './loader';
import { type Ids, type Plan, TYPES } from './plan';

const DAY = '2025-12-01';
const SPANS = [32, 1_024, 32_768];
const CONTENT = 'It left our house this morning and will reach you within three days. '.repeat(2);

/** Id of user 1's first notification. Each inbox has a contiguous range of ids, in the order of the users. */
export const FIRST_NOTIFICATION = 1;

/** Users with small inboxes, which are used for marking all as read. */
export const smallInboxes = ({ inboxOwners, users }: Plan): Ids => {
  const first = inboxOwners.first + inboxOwners.count;
  return { first, count: users - first + 1 };
};

/** Returns the id of the notification at position `seq` in the inbox of one of the `keen` users. */
export const notificationIdOf = (
  { inbox, inboxOwners, inboxSize }: Plan,
  userId: number,
  seq: number,
): number => FIRST_NOTIFICATION + inbox + (userId - inboxOwners.first) * inboxSize + seq - 1;

/** SQL expression that makes three of ten unread. */
const unreadFlag = (n: string): string => `CASE WHEN (${n}) % 10 < 3 THEN 1 ELSE 0 END`;

/** Inserts inboxes, notifications and their count trees, as `src/notifications` stores them. */
export async function seedNotifications(loader: Loader, plan: Plan): Promise<void> {
  const { inbox, inboxOwners, inboxSize, smallInbox } = plan;
  const small = smallInboxes(plan);
  const fill = async (
    users: Ids,
    size: number,
    firstId: number,
    unread: (n: string) => string,
  ): Promise<void> => {
    const place = `(n % ${size})`;
    await loader.insert(
      'notifications',
      'id, user_id, seq, type, title, content, unread_epoch, created_at',
      [
        `n + ${firstId}`,
        `${users.first} + ${loader.quotient('n', size)}`,
        `${place} + 1`,
        loader.cycle(TYPES, place),
        "'Your order is on its way'",
        `'${CONTENT}'`,
        unread(place),
        loader.moment(DAY, place),
      ],
      users.count * size,
    );
    await loader.insert(
      'notification_inboxes',
      'user_id, last_seq, version, broadcast_id',
      [`n + ${users.first}`, String(size), '0', '0'],
      users.count,
    );
  };
  await fill({ first: 1, count: 1 }, inbox, FIRST_NOTIFICATION, unreadFlag);
  await fill(inboxOwners, inboxSize, FIRST_NOTIFICATION + inbox, () => '1');
  await fill(small, smallInbox, FIRST_NOTIFICATION + inbox + inboxOwners.count * inboxSize, unreadFlag);
  for (const [level, span] of [...SPANS, 0].entries()) {
    const block = span === 0 ? '0' : loader.quotient('seq', span);
    await loader.run(
      `INSERT INTO notification_counts (user_id, level, block, type, total, unread, epoch)
       SELECT user_id, ${level}, ${block} AS b, type, COUNT(*), SUM(unread_epoch), 1
       FROM notifications GROUP BY user_id, b, type`,
    );
  }
  await loader.analyze(['notifications', 'notification_inboxes', 'notification_counts']);
}
