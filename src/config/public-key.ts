import { createPublicKey, type KeyObject } from 'node:crypto';
import { tryTo } from './try-to';

/** The asymmetric algorithms of API 2.1. */
export const ASYMMETRIC_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

const MIN_RSA_BITS = 2048;

/** Returns the algorithm of tokens that are verified with a public key; undefined for an unsupported kind of key. */
export function algorithmOf(key: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= MIN_RSA_BITS) return 'RS256';
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return 'ES256';
  return key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : undefined;
}

/** Whether a text is a PEM key with which tokens can be verified. */
export const isVerificationKey = (pem: string): boolean =>
  tryTo(() => algorithmOf(createPublicKey(pem))) !== undefined;
