/** Documentation of a field: its meaning (with unit, range and the meaning of null) and an example. */
export interface FieldWords {
  description?: string;
  example?: unknown;
}

const moment = (description: string): FieldWords => ({
  description: `${description}; ISO 8601 in UTC with milliseconds`,
});
const user = (description: string): FieldWords => ({ description, example: 3 });

/**
 * Descriptions of fields that have the same meaning wherever they occur. `describeFields` uses them for fields without
 * a doc comment; a field with a different meaning in one place is documented there.
 */
export const COMMON_FIELDS: Readonly<Record<string, FieldWords>> = {
  // Fields without a description have doc comments, because their meaning depends on the object.

  // Lists
  page: { description: 'Number of the page, from 1; a page after the last one is empty', example: 1 },
  per_page: { description: 'Maximum number of items on a page, 1 to 100', example: 20 },
  items: { description: 'The items of the page, in order' },
  limit: { description: 'Maximum number of items on a page, 1 to 200', example: 50 },
  next_cursor: {
    description: 'The `cursor` of the next page, for the same list and filters; null on the last page',
    example: 'NDIuYjg0Yjc5ZDkzY2M2',
  },
  list: { description: 'The items of the page, in order' },
  pagination: { description: 'Position of the page in the whole list' },
  from: { example: '2026-01-31' },
  to: { example: '2100-12-31' },
  affected: {
    description: 'Number of changed objects; objects that already had the requested values are not counted',
    example: 2,
  },
  count: { example: 2 },

  // Everything
  id: { description: 'Id for use in other requests; from 1, never reused', example: 1 },
  name: { description: 'Display name', example: '爱丽丝' },
  avatar: { description: 'URL of the picture; null if there is none' },
  type: { description: 'Kind of the object', example: 'text' },
  status: { example: 1 },
  role: { example: 'user' },

  created_at: moment('Time of creation'),
  message: { description: 'The message as the user who receives the event sees it' },
  preferences: { description: 'The preferences of the user after the change' },
  user: { description: 'The user as the user who receives the event sees it' },

  // Users
  user_id: user('The user’s id'),
  user_ids: { description: 'Ids of users, at most 500; duplicates count once', example: [2, 3] },
  peer_id: { example: 3 },
  account: {
    description: 'Log-in name, case-insensitive; null for users of an identity provider',
    example: 'alice',
  },
  external_id: { example: 'crm-1017' },
  keyword: { example: '门' },

  // Calls
  call_id: { description: 'Id of the call for use in other requests', example: 1 },
  call: { description: 'The call as the user who sends the request, or receives the event, sees it' },
  callee_id: user('The user to call'),
  direction: {
    description: 'Whether the requesting user placed the call (`outgoing`) or was called (`incoming`)',
  },
  media_type: { description: 'Audio only, or audio and video' },
  end_reason: {
    description:
      'Why the call ended: the reason given in the request that ended it, or `no_answer`, `busy`, `connection_lost`, `max_duration`, `user_disabled`; null before the end',
    example: 'local_hangup',
  },
  reason: { description: 'Machine-readable reason; it becomes the call’s `end_reason`' },
  version: {
    description:
      'Version of the call, from 1, increased with each change: of two records the higher one is newer',
    example: 2,
  },
  caller: { description: 'The user who placed the call' },
  callee: { description: 'The user who was called', example: { id: 3, name: '鲍勃', avatar: null } },
  channel_name: {
    description: 'Channel of the call at the media provider, the same for both users',
    example: 'call_9f2c41d07b6e4f0c8a51',
  },
  app_id: {
    description: 'Identifies the provider: `webrtc`, the Agora app id, or the URL of the LiveKit server',
    example: 'webrtc',
  },
  caller_uid: { description: 'Id of the caller in the media channel', example: '1182341273' },
  callee_uid: { description: 'Id of the callee in the media channel', example: '2882341273' },
  rtc_token: {
    description:
      'Grants access to the media channel: the token of the provider, or for `webrtc` the JSON configuration of the `RTCPeerConnection`',
    example: '{"iceServers":[],"iceTransportPolicy":"all"}',
  },
  expire_at: moment('Expiry of the media token; null if there is none'),
  ring_expires_at: moment('Time at which the call ends if it is not answered'),
  accepted_at: moment('Time at which the call was answered; null before'),
  started_at: moment('Time at which a terminal first reported `joined`; null before'),
  ended_at: moment('Time at which the call ended; null before'),
  terminal_id: {
    description:
      'Id of the terminal, at most 64 characters; if omitted or empty, that of the token’s session',
    example: 'phone',
  },
  request_id: { example: '5f1d7a84-call' },
  stage: { example: 'joined' },
  network_quality: {
    description: 'Connection quality as the terminal reports it, in its own terms',
    example: 'good',
  },
  session_id: { example: 'connection-1' },
  signal_id: {
    description:
      'Idempotency key: a repeated signal of the same user in the same call with the same key has no further effect',
    example: 'offer-1',
  },

  // Conversations and messages
  conversation_id: { description: 'Id of the conversation for use in other requests', example: 1 },
  conversation: { description: 'The conversation as the user who receives the event sees it' },
  message_id: { description: 'Id of the message for use in other requests', example: 1 },
  unread_count: { description: 'Number of messages that the user has not read', example: 2 },
  read_count: { description: 'Number of other members who have read it', example: 1 },
  read_at: { description: 'Local time in `APP_TIMEZONE` at which it was read; null before' },
  pinned: { description: 'Whether the user keeps the conversation first in the list' },
  muted: {
    description:
      'Whether the conversation is left out of the number on the badge; until `mute_until`, where that is given',
  },
  hidden: { description: 'Whether the conversation is left out of the list until its next message' },
  content: { description: 'Text, or the content that the type defines, such as a URL', example: '你好' },
  extra: {
    description:
      'Metadata of the content: the `name` of a file, the `duration` of a recording in seconds, the `title` of a location; null if there is none',
    example: { name: 'plan.pdf' },
  },

  // Notifications
  notification: { description: 'The notification as its owner sees it' },
  notification_id: { description: 'Id of the notification for use in other requests', example: 1 },
  title: { description: 'Title of one line', example: '未接来电' },
  by_type: {
    description: 'Number of unread notifications by type; types without any are omitted',
    example: { call_missed: 2 },
  },

  // Devices
  description: { example: '住宅小区,三栋楼' },
  parent_id: { description: 'Id of the parent group; null at the top level', example: 1 },
  sort_order: {
    description: 'Position among siblings, ascending; equal values are ordered by id',
    example: 10,
  },
  device_ids: { description: 'Ids of devices, at most 500; duplicates count once', example: [1, 2] },
  device_count: { description: 'Number of devices directly in the group', example: 3 },
  total_device_count: {
    description: 'Number of devices in the group and all groups below it, each counted once',
    example: 9,
  },
  path: { description: 'The ancestor groups, from the root' },
  serial_no: {
    description: 'Serial number of the manufacturer, unique among devices; null if there is none',
    example: 'YG-0101-101',
  },

  // Identity
  password: { description: '8 to 128 characters', example: 'callboard-demo' },
  refresh_token: { example: 'LdqPBhMUcrwr0Yf8fPUcTg' },
};

/** Descriptions of ids in paths, by the preceding path segment. */
export const PATH_IDS: Readonly<Record<string, Required<FieldWords>>> = {
  calls: { description: 'The call’s id', example: 1 },
  conversations: { description: 'The conversation’s id', example: 1 },
  messages: { description: 'The message’s id', example: 1 },
  members: { description: 'The member’s user id', example: 3 },
  notifications: { description: 'The notification’s id', example: 1 },
  announcements: { description: 'The announcement’s id', example: 2 },
  keys: { description: 'The key’s id', example: 1 },
  sessions: { description: 'The session’s id, from the list of sessions', example: 1 },
  users: { description: 'The user’s id', example: 3 },
  'device-groups': { description: 'The group’s id', example: 1 },
  devices: { description: 'The device’s id', example: 1 },
  webhooks: { description: 'The endpoint’s id', example: 1 },
  targets: { description: 'The push target’s id', example: 1 },
  deliveries: { description: 'The delivery’s id', example: 1 },
};
