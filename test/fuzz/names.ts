/* The meaning of names in the interface: all that the fuzzer knows besides the OpenAPI document. */

/** A kind of object that a request can refer to. */
export type Kind =
  | 'user'
  | 'person'
  | 'stranger'
  | 'call'
  | 'conversation'
  | 'message'
  | 'notification'
  | 'announcement'
  | 'device'
  | 'group'
  | 'cursor'
  | 'etag'
  | 'refreshToken'
  | 'session'
  | 'newestSession'
  | 'sessionOwner'
  | 'key'
  | 'account'
  | 'password'
  | 'webhook'
  | 'eldestWebhook'
  | 'delivery'
  | 'channel'
  | 'mediaUser'
  | 'attachment'
  | 'picture'
  | 'file'
  | 'pushTarget';

const FIELDS: Record<string, Kind> = {
  callee_id: 'user',
  peer_id: 'user',
  userId: 'user',
  user_id: 'user',
  user_ids: 'user',
  member_ids: 'user',
  callId: 'call',
  call_id: 'call',
  conversation_id: 'conversation',
  message_id: 'message',
  before_id: 'message',
  after_id: 'message',
  reply_to_id: 'message',
  forward_id: 'message',
  mentions: 'user',
  device_ids: 'device',
  group_id: 'group',
  from_group_id: 'group',
  group_ids: 'group',
  parent_id: 'group',
  after: 'cursor',
  next_after: 'cursor',
  deliveryId: 'delivery',
  sessionId: 'newestSession',
  announcement_id: 'announcement',
  'Last-Event-ID': 'cursor',
  'If-None-Match': 'etag',
  refresh_token: 'refreshToken',
  old_password: 'password',
  channel_name: 'channel',
  channelName: 'channel',
  caller_uid: 'mediaUser',
  callee_uid: 'mediaUser',
  uid: 'mediaUser',
  'X-On-Behalf-Of': 'user',
  attachment_id: 'attachment',
  attachment_ids: 'attachment',
  avatar_attachment_id: 'picture',
  poster_attachment_id: 'picture',
  file: 'file',
  target_id: 'pushTarget',
};

const MESSAGE_CURSORS = new Set(['before_id', 'after_id']);

/** Kind of `id` by path prefix. The first match applies. */
const PATHS: [prefix: RegExp, kind: Kind][] = [
  [/^\/api\/admin\/users\/\{id\}\/sessions$/, 'session'],
  [/^\/api\/(admin\/users\/\{id\}\/push-targets$|(admin\/)?push\/targets)/, 'pushTarget'],
  [/^\/api\/admin\/sessions/, 'newestSession'],
  [/^\/api\/(admin\/)?users/, 'user'],
  [/^\/api\/auth\/sessions/, 'session'],
  [/^\/api\/admin\/keys/, 'key'],
  [/^\/api\/admin\/device-groups\/\{id\}\/devices/, 'device'],
  [/^\/api\/admin\/device-groups/, 'group'],
  [/^\/api\/admin\/devices/, 'device'],
  [/^\/api\/admin\/webhooks\/\{id\}\/deliveries/, 'delivery'],
  [/^\/api\/admin\/webhooks/, 'webhook'],
  [/^\/api\/admin\/conversations\/\{id\}\/inspections/, 'message'],
  [/^\/api\/admin\/conversations/, 'conversation'],
  [/^\/api\/notifications/, 'notification'],
  [/^\/api\/admin\/announcements/, 'announcement'],
  [/^\/api\/messages\/conversations\/\{id\}\/messages/, 'message'],
  [/^\/api\/messages\/conversations/, 'conversation'],
  [/^\/api\/messages\/\{id\}/, 'message'],
  [/^\/api\/attachments/, 'attachment'],
];

const kindBelow = (path: string): Kind | undefined => PATHS.find(([prefix]) => prefix.test(path))?.[1];

/** Returns the kind of a path parameter. `id` depends on the path before it. */
export function kindOfPathName(path: string, name: string): Kind | undefined {
  // Otherwise the fuzzer's users would block each other and could not send messages.
  if (path === '/api/users/{id}/block') return 'stranger';
  // Known deliveries belong to one endpoint, so that a request combines an endpoint with one of its deliveries.
  if (name === 'id' && /^\/api\/admin\/webhooks\/\{id\}\/(deliveries|test)/.test(path))
    return 'eldestWebhook';
  // Combines a session with its owner.
  if (name === 'id' && path === '/api/admin/users/{id}/sessions/{sessionId}') return 'sessionOwner';
  return FIELDS[name] ?? kindBelow(path.slice(0, path.indexOf(`{${name}}`) + name.length + 2));
}

/** Returns the kind of object that a request field refers to. */
export function kindOfField(path: string, name: string): Kind | undefined {
  // Only log-in needs an existing account and password. Other requests set new ones.
  if (path === '/api/auth/login' && (name === 'account' || name === 'password')) return name;
  // If both administrators were disabled, no user could enable them again.
  if (path === '/api/admin/users/bulk' && name === 'user_ids') return 'person';
  // For groups the cursors refer to groups, for histories to messages.
  if (path.startsWith('/api/admin/device-groups') && MESSAGE_CURSORS.has(name)) return 'group';
  return FIELDS[name];
}

/** Returns the kind of object that a response field refers to. */
export function kindOfResponseField(path: string, name: string): Kind | undefined {
  if (path.startsWith('/api/attachments') && (name === 'url' || name === 'thumbnail_url')) return 'file';
  return name === 'id' ? kindBelow(path) : FIELDS[name];
}

/** Whether the query of a path is a signature of it, so that both are taken from a URL of an earlier response. */
export const isSigned = (path: string): boolean => path === '/files/{file}';

/** Parts of queries that no request lacks: without a filter, all users would be disabled. */
export const FIXED_QUERIES: Record<string, Record<string, string>> = {
  '/api/admin/users/matching': { external_id: 'crm-1' },
};

/** Valid texts for fields whose format the document cannot state. */
export const EXAMPLES: Record<string, string[]> = {
  stage: ['joined', 'left'],
  Range: ['bytes=0-0', 'bytes=5-', 'bytes=-3', 'bytes=0-1,3-4', 'bytes=999999999-'],
  url: ['http://127.0.0.1:9/callboard', 'https://127.0.0.1:9/'],
  emoji: ['👍', '❤', '❤️', '🇨🇳', '1️⃣'],
  // Few, so that later requests of a call often come from the terminal that accepted it.
  terminal_id: ['phone', 'desk'],
  // Few enough to be repeated, and enough that many are new.
  external_id: Array.from({ length: 200 }, (_, index) => `crm-${index}`),
  'Idempotency-Key': Array.from({ length: 40 }, (_, index) => `key ${index}`),
  from: ['2026-01-01', '2026-01-01T00:00:00+08:00'],
  to: ['2100-12-31', '2100-12-31T00:00:00Z'],
};

const URLS = ['https://files.example/a.png', 'http://files.example/b?c=d'];
const CONTENTS: Record<string, string[]> = {
  image: URLS,
  file: URLS,
  audio: URLS,
  video: URLS,
  location: ['31.2304,121.4737', '-90,180'],
};

/** Fields that only a message has. A message requires content unless it is forwarded or has attachments. */
const OF_MESSAGES = [
  'client_msg_id',
  'reply_to_id',
  'mentions',
  'mention_all',
  'attachment_id',
  'attachment_ids',
  'poster_attachment_id',
  'forward_id',
];

/** Removes the header for bodies with a client-generated id, because the two would mostly differ. */
export function consistentHeaders(
  { 'Idempotency-Key': key, ...headers }: Record<string, unknown>,
  body: Record<string, unknown> = {},
): Record<string, unknown> {
  const isNamed = body.request_id !== undefined || body.client_msg_id !== undefined;
  return key === undefined || isNamed ? headers : { ...headers, 'Idempotency-Key': key };
}

/** Makes fields consistent that depend on each other, which the document cannot state. */
export function consistent(body: Record<string, unknown>): Record<string, unknown> {
  if ('signal_id' in body) return consistentSignal(body);
  // The service has a gateway only.
  if ('kind' in body && 'terminal_id' in body)
    return {
      terminal_id: body.terminal_id,
      kind: 'gateway',
      provider: 'huawei',
      token: `of ${String(body.terminal_id)}`,
    };
  // One device, because several are rarely in the same group.
  if ('from_group_id' in body && Array.isArray(body.device_ids))
    return { ...body, device_ids: body.device_ids.slice(0, 1) };
  // Most referenced messages are invisible to the sender, so many messages have no reference.
  if (OF_MESSAGES.some((name) => name in body) && JSON.stringify(body).length % 3 !== 0)
    return { type: 'text', content: 'hello', client_msg_id: body.client_msg_id };
  // No upload of the fuzzer is a video.
  if (Number(body.poster_attachment_id) % 8 !== 0 && 'poster_attachment_id' in body) {
    const { poster_attachment_id: _, ...others } = body;
    return consistent(others);
  }
  if (body.attachment_id !== undefined || body.attachment_ids !== undefined) return consistentAttached(body);
  if (typeof body.forward_id === 'number') return consistentForward(body);
  if (OF_MESSAGES.some((name) => name in body) && !('type' in body && 'content' in body))
    return consistent({ type: 'text', content: 'hello', ...body });
  const choices = CONTENTS[String(body.type)];
  if (choices !== undefined && typeof body.content === 'string')
    return { ...body, content: choices[body.content.length % choices.length] };
  // `before_id` and `after_id` exclude each other. One group, because of several one is mostly a descendant or deleted.
  const { before_id, after_id, group_ids, ...rest } = body;
  const neighbours = before_id === undefined || after_id === undefined ? { before_id, after_id } : {};
  return { ...rest, ...neighbours, ...(Array.isArray(group_ids) && { group_ids: group_ids.slice(0, 1) }) };
}

/** Keeps the attachment, under the type of most uploads, and not the content; or the other way round. */
function consistentAttached({
  attachment_id,
  attachment_ids,
  ...said
}: Record<string, unknown>): Record<string, unknown> {
  if (attachment_id !== undefined && attachment_ids !== undefined) return consistent(said);
  const { content: _, forward_id: _forwarded, ...others } = said;
  const ids = Array.isArray(attachment_ids)
    ? { attachment_ids: attachment_ids.slice(0, 1) }
    : { attachment_id };
  return { ...others, ...ids, type: 'file' };
}

/** Keeps either the content or `forward_id`; mostly the content, because few originals are visible to the sender. */
function consistentForward(body: Record<string, unknown>): Record<string, unknown> {
  const { forward_id, ...said } = body;
  const { type: _, content: _content, ...forwarded } = body;
  return Number(forward_id) % 8 === 0 ? forwarded : consistent({ type: 'text', content: 'hello', ...said });
}

/** A signal has a `session_id` if and only if it has a description or candidates. SDP starts with its version. */
function consistentSignal({ session_id, ...body }: Record<string, unknown>): Record<string, unknown> {
  const { description, candidates } = body as { description?: { sdp?: string }; candidates?: unknown };
  const hasContent = Boolean(description) || (Array.isArray(candidates) && candidates.length > 0);
  if (!hasContent) return body;
  const sdp = `v=0${description?.sdp?.slice(0, 1_000) ?? ''}`;
  const parts = description ? { description: { ...description, sdp } } : {};
  return { ...body, ...parts, session_id: session_id ?? 'connection-1' };
}
