import { createHash } from 'node:crypto';
import {
  ACCEPTED,
  payloadWith,
  type PushMessage,
  type PushOutcome,
  ttlSecondsOf,
} from './push-message.rules';

/* Requests to push services of browsers and of UnifiedPush (RFC 8030), and their responses. */

/** Value that marks a declarative Web Push, which browsers display without a service worker. */
const DECLARATIVE = 8030;
const MAX_TOPIC = 32;

/** Returns the headers that do not depend on keys. */
export const webPushHeaders = ({
  topic,
  priority,
  isSilent,
  expiresAt,
  now,
}: PushMessage): Record<string, string> => ({
  'content-type': 'application/notification+json',
  'content-encoding': 'aes128gcm',
  ttl: String(ttlSecondsOf({ expiresAt, now })),
  urgency: priority === 'high' && !isSilent ? 'high' : 'normal',
  topic: createHash('sha256').update(topic).digest('base64url').slice(0, MAX_TOPIC),
});

/** Returns the payload before its encryption: a declarative Web Push that a service worker may replace. */
export function webPushPayload({ topic, title, body, badge, isSilent, url, data }: PushMessage): string {
  const payload = (text: string | null): string =>
    JSON.stringify({
      web_push: DECLARATIVE,
      notification: {
        title: title ?? '',
        body: text ?? '',
        tag: topic,
        navigate: url,
        silent: isSilent,
        ...(badge !== null && { app_badge: String(badge) }),
      },
      mutable: true,
      ...(badge !== null && { app_badge: String(badge) }),
      callboard: data,
    });
  return payloadWith(body, payload);
}

/** Converts a response. */
export function webPushOutcome({ status }: { status: number }): PushOutcome {
  if (status >= 200 && status <= 299) return ACCEPTED;
  const reason = `status ${status}`;
  if (status === 404 || status === 410) return { result: 'removed', reason };
  if (status === 401 || status === 403) return { result: 'rejected', reason };
  return { result: status === 429 || status >= 500 ? 'retry' : 'dropped', reason };
}
