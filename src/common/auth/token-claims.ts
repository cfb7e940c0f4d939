import type { JWTPayload } from 'jose';
import { MAX_ISSUER, type ProviderConfig } from '../../config/auth-config';
import type { UserId } from '../ids';
import type { ExternalSubject, Role, TokenClaims } from './principal';

/** Of an external id, in characters. */
export const MAX_EXTERNAL_ID = 255;

/** The claims of a token of our own: `sub` is a local id, `role` the role. Undefined when it names nobody. */
export function readOwnClaims(payload: JWTPayload): TokenClaims | undefined {
  const subject = localId(payload.sub);
  if (subject === undefined) return undefined;
  return {
    ...common(payload),
    subject,
    role: payload.role === 'admin' ? 'admin' : 'user',
    sid: sidOf(payload),
  };
}

/** The claims of a token of an identity provider. Undefined when it names nobody. */
export function readProviderClaims(payload: JWTPayload, provider: ProviderConfig): TokenClaims | undefined {
  const local = provider.subject === 'auto' ? localId(payload.sub) : undefined;
  const subject = local ?? externalSubject(payload, provider.issuer);
  return (
    subject && { ...common(payload), subject, role: roleOf(payload, provider), issuedAt: issuedAt(payload) }
  );
}

const common = ({ exp = 0, name, picture }: JWTPayload) => ({ exp, name, picture });

/** A moment that cannot be kept is none. */
function issuedAt({ iat = Number.NaN }: JWTPayload): number | undefined {
  const milliseconds = Math.floor(iat * 1000);
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}

/** What is no text belongs to no session, and must not pass for a token without one. */
const sidOf = ({ sid }: JWTPayload): string | undefined =>
  sid === undefined || typeof sid === 'string' ? sid : '';

/** The local id in a `sub`: 1 to 2^53-1 in decimal digits, without leading zeros (contract 18.1). */
function localId(sub: unknown): UserId | undefined {
  if (typeof sub !== 'string' || !/^[1-9]\d{0,15}$/.test(sub)) return undefined;
  const id = Number(sub);
  return Number.isSafeInteger(id) ? (id as UserId) : undefined;
}

/**
 * What is kept without an issuer is for any token where all of them have the same one, and not where several providers
 * are told apart by theirs (contract 18.1).
 */
function externalSubject(
  { sub, iss }: JWTPayload,
  configured: string | undefined,
): ExternalSubject | undefined {
  const issuer = configured ?? (typeof iss === 'string' ? iss : '');
  if (!isKept(sub, MAX_EXTERNAL_ID) || (issuer !== '' && !isKept(issuer, MAX_ISSUER))) return undefined;
  const issuers: ExternalSubject['issuers'] = configured ? [configured, ''] : [issuer];
  return { externalId: sub, issuers, key: JSON.stringify([issuer, sub]) };
}

/** Whether a value is a text that both databases keep byte for byte, of 1 to `max` characters. */
function isKept(value: unknown, max: number): value is string {
  if (typeof value !== 'string' || value === '' || value.length > 2 * max) return false;
  return Array.from(value).length <= max && !value.includes('\0') && value.isWellFormed();
}

function roleOf(payload: JWTPayload, { roleClaim, adminValues }: ProviderConfig): Role {
  const claim = claimAt(payload, roleClaim);
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.some((value) => typeof value === 'string' && adminValues.includes(value)) ? 'admin' : 'user';
}

/** The claim of a name; one that exists as a whole wins over the path that its dots describe. */
function claimAt(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name.split('.').reduce<unknown>((value, part) => memberOf(value, part), payload);
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
