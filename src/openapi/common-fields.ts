/** What the document says of a field: what it means (its unit, its range, what null says), and a value it may have. */
export interface FieldWords {
  description?: string;
  example?: unknown;
}

const flag = (description: string): FieldWords => ({ description });
const moment = (description: string): FieldWords => ({
  description: `${description}; ISO 8601 in UTC with milliseconds`,
});
const user = (description: string, example = 3): FieldWords => ({ description, example });

/**
 * Fields that mean the same wherever they occur, described once: what a doc comment on the field itself leaves out is
 * taken from here (`describeFields`). A field with a meaning of its own in one place has its words there.
 */
export const COMMON_FIELDS: Readonly<Record<string, FieldWords>> = {
  // Lists
  page: { description: 'Which page, from 1; one beyond the end is empty', example: 1 },
  per_page: { description: 'How many a page holds at most, 1 to 100', example: 20 },
  items: { description: 'What the page holds, in order' },
  limit: { description: 'How many a page holds at most, 1 to 200', example: 50 },
  cursor: {
    description: 'The `next_cursor` of the page before; left out: the newest',
    example: 'NDIuYjg0Yjc5ZDkzY2M2',
  },
  next_cursor: {
    description: 'The `cursor` of the next page, of the same list with the same filters; null at the end',
    example: 'NDIuYjg0Yjc5ZDkzY2M2',
  },
  list: { description: 'What the page holds, in order' },
  pagination: { description: 'Where in the whole list the page is' },
  sort: { description: 'By which field, downwards with `-` before it; by id when left out' },
  from: {
    description: 'Only those made then or later: a moment, or a day of `APP_TIMEZONE`',
    example: '2026-01-31',
  },
  to: {
    description: 'Only those made before this moment, or up to the end of this day',
    example: '2100-12-31',
  },
  affected: {
    description: 'How many objects were changed; those that were as wanted already do not count',
    example: 2,
  },
  count: { description: 'How many there are', example: 2 },

  // Everything
  id: { description: 'Names it in other requests; from 1, and never given out twice', example: 1 },
  name: { description: 'The name to show', example: '爱丽丝' },
  avatar: { description: 'URL of a picture to show; null where there is none' },
  type: { description: 'Which kind it is', example: 'text' },
  // What it says depends on what it is of.
  status: { example: 1 },
  role: {
    description: 'What the user may do: `admin` may use everything below `/api/admin`',
    example: 'user',
  },

  created_at: moment('When it was made'),
  message: { description: 'The message as the event’s user sees it' },
  user: { description: 'The user as the user sees it' },

  // Users
  user_id: user('The user’s id'),
  user_ids: { description: 'Ids of users, at most 500; duplicates count once', example: [2, 3] },
  peer_id: user('The other user’s id'),
  account: {
    description: 'The log-in name, without regard to case; null for users of an identity provider',
    example: 'alice',
  },
  external_id: {
    description: 'The id by which the operator’s own back end knows the user; compared byte for byte',
    example: 'crm-1017',
  },
  keyword: { description: 'Part of the name, without regard to case', example: '门' },

  // Calls
  call_id: { description: 'Names the call in other requests', example: 1 },
  call: { description: 'The call as the user who asks, or is told, sees it' },
  callee_id: user('The user to call'),
  direction: {
    description: 'Whether the asking user placed the call (`outgoing`) or was called (`incoming`)',
  },
  media_type: { description: 'Sound alone, or pictures too' },
  end_reason: {
    description:
      'Why the call ended: the reason given with the act, or `no_answer`, `busy`, `connection_lost`, `max_duration`, `user_disabled`; null before the end',
    example: 'local_hangup',
  },
  reason: { description: 'Why, in a word for programs; it becomes the call’s `end_reason`' },
  version: {
    description: 'From 1, and higher with each change of the call: of two records the higher is newer',
    example: 2,
  },
  caller: { description: 'Who placed the call' },
  callee: { description: 'Who was called', example: { id: 3, name: '鲍勃', avatar: null } },
  channel_name: {
    description: 'The call’s channel at the media provider, the same for both',
    example: 'call_9f2c41d07b6e4f0c8a51',
  },
  app_id: {
    description: 'Tells the provider: `webrtc`, Agora’s app id, or the LiveKit server’s URL',
    example: 'webrtc',
  },
  caller_uid: { description: 'The caller’s id in the media channel', example: '1182341273' },
  callee_uid: { description: 'The callee’s id in the media channel', example: '2882341273' },
  rtc_token: {
    description:
      'Lets its holder into the media channel: the provider’s token, or for `webrtc` the JSON that an `RTCPeerConnection` is made with',
    example: '{"iceServers":[],"iceTransportPolicy":"all"}',
  },
  expire_at: moment('When the media token expires; null when there is none'),
  ring_expires_at: moment('When the call ends by itself if nobody answers'),
  accepted_at: moment('When the call was answered; null before'),
  started_at: moment('When a terminal first reported `joined`; null before'),
  ended_at: moment('When the call ended; null before'),
  terminal_id: {
    description: 'Which terminal, at most 64 characters; left out or empty, that of the token’s session',
    example: 'phone',
  },
  request_id: {
    description:
      'Idempotency id, at most 64 characters: the same one again by the same user does nothing twice',
    example: '5f1d7a84-call',
  },
  stage: {
    description: 'How far the terminal has come with the media; `joined` starts the call, others are kept',
    example: 'joined',
  },
  network_quality: {
    description: 'What the terminal makes of its connection, in its own word',
    example: 'good',
  },
  session_id: {
    description: 'The connection between the terminals, named by the caller',
    example: 'connection-1',
  },
  signal_id: {
    description: 'Idempotency id: the same one again by the same user in the same call changes nothing',
    example: 'offer-1',
  },

  // Conversations and messages
  conversation_id: { description: 'Names the conversation in other requests', example: 1 },
  conversation: { description: 'The conversation as the event’s user sees it' },
  message_id: { description: 'Names the message in other requests', example: 1 },
  unread_count: { description: 'How many messages the user has not read yet', example: 2 },
  read_count: { description: 'How many of the other members have read it', example: 1 },
  read_at: { description: 'When it was read, on the clocks of `APP_TIMEZONE`; null before' },
  pinned: flag('Whether the user keeps the conversation first in the list'),
  muted: flag(
    'Whether the conversation is left out of the number on the badge; until `mute_until`, where that is given',
  ),
  hidden: flag('Whether the conversation is left out of the list until its next message'),
  content: { description: 'What it says', example: '你好' },
  extra: {
    description:
      'More about the content: a file’s `name`, a recording’s `duration` in seconds, a location’s `title`; null where there is nothing',
    example: { name: 'plan.pdf' },
  },

  // Notifications
  notification: { description: 'The notification as its owner sees it' },
  notification_id: { description: 'Names the notification in other requests', example: 1 },
  title: { description: 'A line that says what it is about', example: '未接来电' },
  by_type: {
    description: 'Unread notifications by type; only types that have any',
    example: { call_missed: 2 },
  },

  // Devices
  description: { description: 'What people should know about it', example: '住宅小区,三栋楼' },
  parent_id: { description: 'The group it is in; null at the top', example: 1 },
  sort_order: { description: 'Among its siblings a smaller one comes first; equal ones by id', example: 10 },
  device_ids: { description: 'Ids of devices, at most 500; duplicates count once', example: [1, 2] },
  device_count: { description: 'Devices directly in the group', example: 3 },
  total_device_count: { description: 'Devices in the group or in any below it, each once', example: 9 },
  path: { description: 'The groups above it, from the root' },
  serial_no: {
    description: 'The maker’s number, unique among the devices; null when it has none',
    example: 'YG-0101-101',
  },

  // Identity
  password: { description: '8 to 128 characters', example: 'callboard-demo' },
  refresh_token: { description: 'Exchanged for new tokens, once', example: 'LdqPBhMUcrwr0Yf8fPUcTg' },
};

/** What an id in a path names, by the part of the path before it. */
export const PATH_IDS: Readonly<Record<string, Required<FieldWords>>> = {
  calls: { description: 'The call’s id', example: 1 },
  conversations: { description: 'The conversation’s id', example: 1 },
  messages: { description: 'The message’s id', example: 1 },
  members: { description: 'The member’s user id', example: 3 },
  notifications: { description: 'The notification’s id', example: 1 },
  announcements: { description: 'The announcement’s id', example: 2 },
  keys: { description: 'The key’s id', example: 1 },
  sessions: { description: 'The session’s id, as the list of sessions has it', example: 1 },
  users: { description: 'The user’s id', example: 3 },
  'device-groups': { description: 'The group’s id', example: 1 },
  devices: { description: 'The device’s id', example: 1 },
  webhooks: { description: 'The endpoint’s id', example: 1 },
  deliveries: { description: 'The delivery’s id', example: 1 },
};
