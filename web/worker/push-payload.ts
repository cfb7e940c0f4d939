/** A push of the service (API 18.3). */
export interface Push {
  type: 'call.ringing' | 'call.over' | 'message' | 'notification' | 'test';
  title: string;
  body: string;
  /** A later push with the same tag replaces the notification. */
  tag: string;
  /** Path of the page that a click opens. */
  path: string;
  isSilent: boolean;
  /** Unread messages and notifications; undefined: unchanged. */
  badge: number | undefined;
  callId: number | undefined;
  /** Id of the message, notification or call. */
  id: number | undefined;
}

/** The declarative Web Push that the service sends. */
interface Payload {
  notification: { title: string; body: string; tag: string; navigate: string; silent: boolean };
  app_badge?: string;
  callboard: { type: Push['type']; call_id?: number; message_id?: number; notification_id?: number };
}

/**
 * Parses the payload of a push.
 * @param data null in browsers that show declarative pushes without the worker
 * @returns undefined if there is nothing to show
 */
export function parsePush(data: PushMessageData | null): Push | undefined {
  if (data === null) return undefined;
  const { notification, app_badge: badge, callboard } = data.json() as Payload;
  // The address may be that of a proxy; the page is always on the origin of the worker.
  const { pathname, search } = new URL(notification.navigate, location.origin);
  const { call_id: callId, message_id, notification_id } = callboard;
  return {
    type: callboard.type,
    title: notification.title,
    body: notification.body,
    tag: notification.tag,
    path: pathname + search,
    isSilent: notification.silent,
    badge: badge === undefined ? undefined : Number(badge),
    callId,
    id: message_id ?? notification_id ?? callId,
  };
}
