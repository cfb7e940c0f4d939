import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/* Secrets and signatures of Standard Webhooks (contract 12.2, https://www.standardwebhooks.com). */

const PREFIX = 'whsec_';

/** The secret of an endpoint: `whsec_` and 32 bytes in base64, made of the service's own and the endpoint's salt. */
export const secretOf = (serviceSecret: string, salt: string): string =>
  PREFIX + createHmac('sha256', serviceSecret).update(salt).digest('base64');

/**
 * The header `webhook-signature`: one signature for each secret, so that who knows one of them can verify.
 * @param seconds the attempt's time, since 1970
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

/** As a key that Node knows: bytes it would first look at for what else they might be, for longer than all the rest takes. */
const keyOf = (secret: string): KeyObject => createSecretKey(secret.slice(PREFIX.length), 'base64');
