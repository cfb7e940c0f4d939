import {
  ACCEPTED,
  payloadWith,
  type PushAddress,
  type PushMessage,
  type PushOutcome,
} from './push-message.rules';

/* Requests to Apple's push service, and its responses. */

/** Reasons that are about the token, but may also follow from wrong settings: they never delete a target. */
const ABOUT_TOKEN = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic']);
/** Reasons after which a new provider token is needed. */
const EXPIRED_TOKENS = new Set(['ExpiredProviderToken', 'InvalidProviderToken']);

/** Returns the headers of a request. @param authorization the provider token */
export function apnsHeaders(
  { kind, app }: PushAddress,
  { type, topic, priority, expiresAt, isDisplayed, badge }: PushMessage,
  authorization: string,
): Record<string, string> {
  const isVoip = kind === 'apns_voip';
  const isBackground = !isVoip && !isDisplayed && badge === null;
  return {
    authorization: `bearer ${authorization}`,
    'apns-topic': isVoip ? `${app}.voip` : String(app),
    'apns-push-type': isVoip ? 'voip' : isBackground ? 'background' : 'alert',
    // Apple rejects background pushes with the priority 10.
    'apns-priority': priority === 'high' && (isDisplayed || isVoip) ? '10' : '5',
    'apns-expiration': String(Math.floor(expiresAt.getTime() / 1000)),
    'apns-collapse-id': topic,
    ...(type === 'test' && { 'apns-collapse-id': 'test' }),
  };
}

/** Returns the payload: with `aps` for the system, and the data for the app. */
export function apnsPayload({ kind }: PushAddress, message: PushMessage): string {
  const { type, topic, title, body, badge, isSilent, isDisplayed, data } = message;
  if (kind === 'apns_voip') return JSON.stringify({ aps: {}, callboard: data });
  const aps = (text: string | null): object => ({
    ...(isDisplayed && { alert: { title, body: text }, 'thread-id': topic, 'mutable-content': 1 }),
    ...(isDisplayed && !isSilent && { sound: 'default' }),
    ...(isDisplayed && isSilent && { 'interruption-level': 'passive' }),
    // A ring without VoIP must be seen now, also in a focus mode.
    ...(type === 'call.ringing' && !isSilent && { 'interruption-level': 'time-sensitive' }),
    ...(!isDisplayed && { 'content-available': 1 }),
    ...(badge !== null && { badge }),
  });
  const payload = (text: string | null): string => JSON.stringify({ aps: aps(text), callboard: data });
  return payloadWith(body, payload);
}

/** Converts a response. @param registeredAt when the token was registered */
export function apnsOutcome(
  { status, text }: { status: number; text: string },
  registeredAt: Date,
): PushOutcome {
  if (status === 200) return ACCEPTED;
  const { reason = `status ${status}`, timestamp } = parseReason(text);
  if (status === 410) {
    // The time since which the token is invalid. An older one is about an earlier installation.
    const isCurrent = timestamp === undefined || timestamp >= registeredAt.getTime();
    return { result: isCurrent ? 'removed' : 'retry', reason };
  }
  if (status === 400 && ABOUT_TOKEN.has(reason)) return { result: 'rejected', reason };
  const mayRepeat = status === 429 || status >= 500 || EXPIRED_TOKENS.has(reason);
  return { result: mayRepeat ? 'retry' : 'dropped', reason };
}

/** Whether a response rejects the provider token. */
export const needsNewToken = ({ status, text }: { status: number; text: string }): boolean =>
  status === 403 && EXPIRED_TOKENS.has(parseReason(text).reason ?? '');

/** Reads `{"reason", "timestamp"}`; a field that is missing or has another type is undefined. */
function parseReason(text: string): { reason?: string; timestamp?: number } {
  try {
    const { reason, timestamp } = JSON.parse(text) as { reason?: unknown; timestamp?: unknown };
    return {
      reason: typeof reason === 'string' ? reason.slice(0, 100) : undefined,
      timestamp: typeof timestamp === 'number' ? timestamp : undefined,
    };
  } catch {
    return {};
  }
}
