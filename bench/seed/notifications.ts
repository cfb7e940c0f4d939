import { byBlock, InboxBlock } from '../../src/notifications/rules/inbox-block.rules';
import type { Loader } from './loader';
import { type Ids, type Plan, TYPES } from './plan';

const DAY = '2025-12-01';
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

/** Whether the notification at a position is unread: three of ten. */
const someUnread = (seq: number): boolean => (seq - 1) % 10 < 3;
const allUnread = (): boolean => true;

/** An inbox of the seed. All of one kind are equal. */
interface SeededInbox {
  size: number;
  isUnread: (seq: number) => boolean;
}

export const ownedInbox = ({ inboxSize }: Plan): SeededInbox => ({ size: inboxSize, isUnread: allUnread });
export const smallInbox = ({ smallInbox: size }: Plan): SeededInbox => ({ size, isUnread: someUnread });

/** Returns the positions of an inbox with the type and its code. */
const positionsOf = ({ size, isUnread }: SeededInbox) =>
  Array.from({ length: size }, (_, index) => {
    const code = 1 + (index % TYPES.length);
    return { seq: index + 1, type: TYPES[code - 1] as string, code, isUnread: isUnread(index + 1) };
  });

/** Returns the blocks of the inbox map. */
export const blocksOf = (inbox: SeededInbox): InboxBlock[] =>
  Array.from(byBlock(positionsOf(inbox)), ([start, states]) =>
    InboxBlock.empty(start).change(states, 1, new Map()),
  );

/** Returns the counts by type. */
export const typesOf = (inbox: SeededInbox) =>
  Array.from(
    Map.groupBy(positionsOf(inbox), ({ type }) => type),
    ([type, positions]) => ({
      type,
      code: positions[0]?.code ?? 0,
      total: positions.length,
      unread: positions.filter(({ isUnread }) => isUnread).length,
    }),
  );

/** SQL literal of bytes. */
export const hex = (bytes: Uint8Array): string => `x'${Buffer.from(bytes).toString('hex')}'`;

/** Inserts notifications, inboxes and their maps, as `src/notifications` stores them. */
export async function seedNotifications(loader: Loader, plan: Plan): Promise<void> {
  const { inbox, inboxOwners, inboxSize } = plan;
  const fill = async (users: Ids, firstId: number, seeded: SeededInbox): Promise<void> => {
    const { size } = seeded;
    const user = `n + ${users.first}`;
    const place = `(n % ${size})`;
    await loader.insert(
      'notifications',
      'id, user_id, seq, type, title, content, created_at',
      [
        `n + ${firstId}`,
        `${users.first} + ${loader.quotient('n', size)}`,
        `${place} + 1`,
        loader.cycle(TYPES, place),
        "'Your order is on its way'",
        `'${CONTENT}'`,
        loader.moment(DAY, place),
      ],
      users.count * size,
    );
    await loader.insert(
      'notification_inboxes',
      'user_id, last_seq, version, broadcast_id',
      [user, String(size), '1', '0'],
      users.count,
    );
    for (const { type, code, total, unread } of typesOf(seeded))
      await loader.insert(
        'notification_types',
        'user_id, type, code, total, unread, epoch',
        [user, `'${type}'`, String(code), String(total), String(unread), '0'],
        users.count,
      );
    for (const block of blocksOf(seeded)) {
      const { start, version, width, types, unread } = block.toStored();
      await loader.insert(
        'notification_blocks',
        'user_id, start, version, width, types, unread',
        [user, String(start), String(version), String(width), hex(types), hex(unread)],
        users.count,
      );
    }
  };
  await fill({ first: 1, count: 1 }, FIRST_NOTIFICATION, { size: inbox, isUnread: someUnread });
  await fill(inboxOwners, FIRST_NOTIFICATION + inbox, ownedInbox(plan));
  const firstSmall = FIRST_NOTIFICATION + inbox + inboxOwners.count * inboxSize;
  await fill(smallInboxes(plan), firstSmall, smallInbox(plan));
  await loader.analyze([
    'notifications',
    'notification_inboxes',
    'notification_types',
    'notification_blocks',
  ]);
}
