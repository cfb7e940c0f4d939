import {
  ACCEPTED,
  payloadWith,
  type PushAddress,
  type PushMessage,
  type PushOutcome,
  ttlSecondsOf,
} from './push-message.rules';

/* Requests to Firebase Cloud Messaging (HTTP v1), and its responses. */

/** Returns the body of a request: data only, so that the app decides what it displays. */
export function fcmBody({ token }: PushAddress, message: PushMessage): string {
  const { type, topic, title, body, badge, priority, isSilent, data } = message;
  // The end of a ring is silent, but a phone that sleeps must receive it while it rings.
  const isHigh = priority === 'high' && (!isSilent || type === 'call.over');
  const payload = (text: string | null): string =>
    JSON.stringify({
      message: {
        token,
        android: {
          priority: isHigh ? 'HIGH' : 'NORMAL',
          ttl: `${ttlSecondsOf(message)}s`,
          collapse_key: topic,
        },
        data: textsOf({ ...data, title, body: text, badge, silent: isSilent ? true : null }),
      },
    });
  return payloadWith(body, payload);
}

/** FCM accepts only texts as data. Fields without a value are left out. */
const textsOf = (data: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

interface FcmError {
  status?: string;
  details?: { errorCode?: string; fieldViolations?: { field?: string }[] }[];
}

/** Converts a response. */
export function fcmOutcome({ status, text }: { status: number; text: string }): PushOutcome {
  if (status >= 200 && status <= 299) return ACCEPTED;
  const error = parseError(text);
  const details = Array.isArray(error.details) ? error.details : [];
  const reason =
    details.find(({ errorCode }) => errorCode !== undefined)?.errorCode ?? error.status ?? `status ${status}`;
  if (reason === 'UNREGISTERED') return { result: 'removed', reason };
  const isAboutToken = details.some(({ fieldViolations }) =>
    (fieldViolations ?? []).some(({ field }) => field === 'message.token'),
  );
  if (reason === 'SENDER_ID_MISMATCH' || (reason === 'INVALID_ARGUMENT' && isAboutToken))
    return { result: 'rejected', reason };
  const mayRepeat = status === 429 || status >= 500 || status === 401;
  return { result: mayRepeat ? 'retry' : 'dropped', reason };
}

function parseError(text: string): FcmError {
  try {
    const { error } = JSON.parse(text) as { error?: FcmError };
    return typeof error === 'object' && error !== null ? error : {};
  } catch {
    return {};
  }
}
