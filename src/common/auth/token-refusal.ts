import { errors } from 'jose';
import type { TokenRefusal } from './principal';

/** Reasons by the claim that is missing or does not have the expected value. */
const BY_CLAIM: Record<string, TokenRefusal> = {
  exp: 'no exp',
  sub: 'no sub',
  nbf: 'not yet valid',
  iss: 'issuer',
  aud: 'audience',
};

/** Returns the reason for which jose rejected a token. */
export function refusalOf(error: errors.JOSEError): TokenRefusal {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.reason === 'invalid' ? 'claims' : (BY_CLAIM[error.claim] ?? 'claims');
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'unknown key';
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return 'algorithm';
  return 'malformed';
}
