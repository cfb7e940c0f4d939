/*
 * The data set as numbers: how much of everything, and which ids it has. At scale 1 it is the one the targets are
 * measured on; a smaller scale keeps every shape and makes it quick to load.
 */

/** A run of ids. */
export interface Ids {
  first: number;
  count: number;
}

export interface Plan {
  /** Who act: 1 to `users`. User 1 has the large inbox, the long history and a place in the crowd. */
  users: number;
  /** Members of the largest group: the users and, where they do not suffice, people who do nothing else. */
  crowd: number;
  /** Messages in the crowd's group. */
  crowdMessages: number;
  /** Notifications of user 1. */
  inbox: number;
  /** Users who have much to mark as read, and how many notifications each of them has; all are unread. */
  keen: Ids;
  keenInbox: number;
  /** Notifications of everybody else; three of ten are unread. */
  smallInbox: number;
  /** Messages in the conversation of users 1 and 2. */
  history: number;
  /** Conversations of two others than user 1 to send in, without messages at first. */
  chat: { id: number; users: [number, number] };
  /** A group of many who write at once, and the many groups. */
  hotGroup: { id: number; members: Ids };
  groups: Ids;
  groupMembers: number;
  /** Messages that each of these groups has. */
  groupMessages: number;
  /** Pairs of users who call each other: `first` and `first + 1`, and so on. */
  callers: Ids;
  deviceGroups: number;
  devices: number;
}

/** Notification types, in turns. */
export const TYPES = ['system', 'order', 'call_missed', 'news'];

export const LONG_CHAT = 1;
export const CROWD = 2;
/** The conversations of user 1 with user n, from here on, have the id n. */
export const FIRST_SINGLE = 3;
/** Members of the crowd's group who write; the others only read. */
export const CROWD_SENDERS = 100;
/** Messages of each of user 1's other conversations. */
export const SINGLE_MESSAGES = 10;

/** @param scale 1 for the whole data set; least sizes keep small ones meaningful (the crowd above the push limit) */
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
    keen: { first: 2, count: 32 },
    keenInbox: sized(2_000, 400),
    smallInbox: 20,
    history: sized(1_000_000, 2_000, 1_000),
    chat: { id: hot + groups + 1, users: [40, 41] },
    hotGroup: { id: hot, members: { first: 101, count: 50 } },
    groups: { first: hot + 1, count: groups },
    groupMembers: 10,
    groupMessages: 20,
    callers: { first: users - 99, count: 100 },
    deviceGroups: sized(10_000, 300),
    devices: sized(100_000, 1_000),
  };
}
