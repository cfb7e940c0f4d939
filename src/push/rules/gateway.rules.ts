import {
  ACCEPTED,
  payloadWith,
  type PushAddress,
  type PushMessage,
  type PushOutcome,
  ttlSecondsOf,
} from './push-message.rules';

/* Requests to the operator's push gateway, and its responses. */

/** Returns the body of a request. */
export function gatewayBody({ provider, token, app }: PushAddress, message: PushMessage): string {
  const { type, topic, title, body, badge, priority, isSilent, data } = message;
  const payload = (text: string | null): string =>
    JSON.stringify({
      target: { provider, token, app },
      type,
      priority,
      silent: isSilent,
      ttl: ttlSecondsOf(message),
      collapse_id: topic,
      title,
      body: text,
      badge,
      data,
    });
  return payloadWith(body, payload);
}

/** Converts a response. */
export function gatewayOutcome({ status }: { status: number }): PushOutcome {
  if (status >= 200 && status <= 299) return ACCEPTED;
  const reason = `status ${status}`;
  if (status === 410) return { result: 'removed', reason };
  return { result: status === 429 || status >= 500 ? 'retry' : 'dropped', reason };
}
