/*
 * The data set in numbers: row counts and id ranges. The targets are measured at scale 1. A smaller scale keeps every
 * shape and loads quickly.
 */

/** A contiguous range of ids. */
export interface Ids {
  first: number;
  count: number;
}

export interface Plan {
  /**
   * The active users: 1 to `users`. User 1 has the large inbox and the long history, and is a member of the largest
   * group.
   */
  users: number;
  /** Members of the largest group: the active users and, if there are too few of them, users that do nothing else. */
  crowd: number;
  /** Messages in the largest group. */
  crowdMessages: number;
  /** Notifications of user 1. */
  inbox: number;
  /** Users with many notifications to mark as read, and the number of notifications of each; all are unread. */
  inboxOwners: Ids;
  inboxSize: number;
  /** Number of notifications of every other user; three of ten are unread. */
  smallInbox: number;
  /** Messages in the conversation of users 1 and 2. */
  history: number;
  /** Conversation of two users other than user 1 for sends, initially empty. */
  chat: { id: number; users: [number, number] };
  /** A group with many concurrent senders, and the many small groups. */
  hotGroup: { id: number; members: Ids };
  groups: Ids;
  groupMembers: number;
  /** Messages in each of the small groups. */
  groupMessages: number;
  /** One more member of every small group, for sends of one user to many groups. */
  guest: number;
  /** Pairs of users who call each other: `first` and `first + 1`, and so on. */
  callers: Ids;
  deviceGroups: number;
  devices: number;
}

/** Notification types, used in turn. */
export const TYPES = ['system', 'order', 'call_missed', 'news'];

export const LONG_CHAT = 1;
export const CROWD = 2;
/** The conversation of user 1 with user n has the id n, from this id on. */
export const FIRST_SINGLE = 3;
/** Number of members of the largest group who write; the others only read. */
export const CROWD_SENDERS = 100;
/** Messages of each of user 1's other conversations. */
export const SINGLE_MESSAGES = 10;

/**
 * @param scale 1 for the whole data set; lower bounds keep small ones meaningful (the largest group stays above the
 * fan-out limit)
 */
export function planOf(scale = 1): Plan {
  const sized = (size: number, least: number, multipleOf = 1): number =>
    Math.max(least, Math.round((size * scale) / multipleOf) * multipleOf);
  const users = sized(2_000, 300);
  const hot = users + 1;
  const groups = sized(400, 20);
  return {
    users,
    crowd: sized(5_000, 320),
    crowdMessages: sized(10_000, 300, 100),
    inbox: sized(100_000, 3_000),
    inboxOwners: { first: 2, count: 32 },
    inboxSize: sized(2_000, 400),
    smallInbox: 20,
    history: sized(1_000_000, 2_000, 1_000),
    chat: { id: hot + groups + 1, users: [40, 41] },
    hotGroup: { id: hot, members: { first: 101, count: 50 } },
    groups: { first: hot + 1, count: groups },
    groupMembers: 10,
    groupMessages: 20,
    guest: 42,
    callers: { first: users - 99, count: 100 },
    deviceGroups: sized(10_000, 300),
    devices: sized(100_000, 1_000),
  };
}
