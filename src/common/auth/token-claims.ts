import type { JWTPayload } from 'jose';
import { MAX_ISSUER, type ProviderConfig } from '../../config/auth-config';
import type { UserId } from '../ids';
import type { ExternalSubject, Role, TokenClaims } from './principal';

/** Maximum length of an external id in characters. */
export const MAX_EXTERNAL_ID = 255;

/**
 * Reads the claims of the service's own token: `sub` is a local id, `role` the role. Returns undefined if `sub` is not
 * a user id.
 */
export function readOwnClaims(payload: JWTPayload): TokenClaims | undefined {
  const subject = localId(payload.sub);
  if (subject === undefined) return undefined;
  return {
    ...commonClaims(payload),
    subject,
    role: payload.role === 'admin' ? 'admin' : 'user',
    sid: sidOf(payload),
  };
}

/** Reads the claims of a token of an identity provider. Returns undefined if it identifies no user. */
export function readProviderClaims(payload: JWTPayload, provider: ProviderConfig): TokenClaims | undefined {
  const local = provider.subject === 'auto' ? localId(payload.sub) : undefined;
  const subject = local ?? externalSubject(payload, provider.issuer);
  return (
    subject && {
      ...commonClaims(payload),
      subject,
      role: roleOf(payload, provider),
      issuedAt: issuedAt(payload),
    }
  );
}

const commonClaims = ({ exp = 0, name, picture }: JWTPayload) => ({ exp, name, picture });

/** Returns `iat` in milliseconds; undefined if it is missing or cannot be stored. */
function issuedAt({ iat = Number.NaN }: JWTPayload): number | undefined {
  const milliseconds = Math.floor(iat * 1000);
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}

/**
 * Returns '' for a `sid` that is not a string: such a token has no valid session, and must not count as one without a
 * session.
 */
const sidOf = ({ sid }: JWTPayload): string | undefined =>
  sid === undefined || typeof sid === 'string' ? sid : '';

/** Returns the local id in a `sub`: 1 to 2^53-1 in decimal digits, without leading zeros (API 2.3). */
function localId(sub: unknown): UserId | undefined {
  if (typeof sub !== 'string' || !/^[1-9]\d{0,15}$/.test(sub)) return undefined;
  const id = Number(sub);
  return Number.isSafeInteger(id) ? (id as UserId) : undefined;
}

/**
 * Returns the subject of a provider's token. External ids stored without an issuer match if all tokens have the same,
 * configured issuer; they do not match if several providers are distinguished by their issuers (API 2.3).
 */
function externalSubject(
  { sub, iss }: JWTPayload,
  configured: string | undefined,
): ExternalSubject | undefined {
  const issuer = configured ?? (typeof iss === 'string' ? iss : '');
  if (!isStorable(sub, MAX_EXTERNAL_ID) || (issuer !== '' && !isStorable(issuer, MAX_ISSUER)))
    return undefined;
  const issuers: ExternalSubject['issuers'] = configured ? [configured, ''] : [issuer];
  return { externalId: sub, issuers, key: JSON.stringify([issuer, sub]) };
}

/** Whether a value is a text of 1 to `max` characters that SQLite and MySQL/MariaDB store byte for byte. */
function isStorable(value: unknown, max: number): value is string {
  if (typeof value !== 'string' || value === '' || value.length > 2 * max) return false;
  return Array.from(value).length <= max && !value.includes('\0') && value.isWellFormed();
}

function roleOf(payload: JWTPayload, { roleClaim, adminValues }: ProviderConfig): Role {
  const claim = claimAt(payload, roleClaim);
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.some((value) => typeof value === 'string' && adminValues.includes(value)) ? 'admin' : 'user';
}

/** Returns the claim with this name. A claim whose name contains the dots takes precedence over the path. */
function claimAt(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name.split('.').reduce<unknown>((value, part) => propertyOf(value, part), payload);
}

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
