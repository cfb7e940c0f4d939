import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/* Secrets and signatures of Standard Webhooks (API 14.3, https://www.standardwebhooks.com). */

const PREFIX = 'whsec_';

/**
 * Derives the secret of an endpoint from the service's secret and the endpoint's salt: `whsec_` and 32 bytes in base64.
 */
export const secretOf = (serviceSecret: string, salt: string): string =>
  PREFIX + createHmac('sha256', serviceSecret).update(salt).digest('base64');

/**
 * Returns the header `webhook-signature`: one signature per secret, so that a receiver with any of the secrets can
 * verify it.
 * @param seconds time of the attempt as a Unix timestamp
 */
export function signaturesOf(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): string {
  const signed = `${id}.${seconds}.${body}`;
  return secrets
    .map((secret) => createHmac('sha256', keyOf(secret)).update(signed).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ');
}

/**
 * Returns the headers of a request whose body is signed with the secrets.
 * @param id the id of the event, the same in every attempt; the push gateway receives a new one in each attempt
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, now, body }: { id: string; now: Date; body: string },
): Record<string, string> {
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Callboard',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signaturesOf(secrets, { id, seconds, body }),
  };
}

/**
 * Creates a `KeyObject`: Node first checks whether raw bytes are another type of key, which takes longer than signing.
 */
const keyOf = (secret: string): KeyObject => createSecretKey(secret.slice(PREFIX.length), 'base64');
