import type { TokenClaims } from '../common/auth/principal';
import { foldCase } from '../common/fold-case';
import { checkUrl } from '../common/input/fields';
import { MAX_AVATAR, MAX_NAME, USER_ENABLED, type UserEntity } from './entities/user.entity';

/** The user id in a token: `sub` as text, a positive integer up to 2^53-1; undefined for anything else. */
export function userIdOf({ sub }: TokenClaims): number | undefined {
  if (typeof sub !== 'string' || !/^[1-9]\d{0,15}$/.test(sub)) return undefined;
  const id = Number(sub);
  return Number.isSafeInteger(id) ? id : undefined;
}

/** The user that a token seen for the first time makes (contract 1.6). Its claims are trusted but not their shape. */
export function newUserFromClaims(id: number, claims: TokenClaims, now: Date): UserEntity {
  const name = nameFrom(claims.name) ?? `用户${id}`;
  return {
    id,
    account: null,
    account_key: null,
    name,
    name_key: foldCase(name),
    avatar: avatarFrom(claims.picture),
    role: claims.role === 'admin' ? 'admin' : 'user',
    status: USER_ENABLED,
    password_hash: null,
    created_at: now,
  };
}

function nameFrom(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const name = Array.from(claim.replaceAll('\0', '').toWellFormed().trim()).slice(0, MAX_NAME).join('');
  return name === '' ? undefined : name;
}

/** A picture that could not be set here either is none. */
const avatarFrom = (claim: unknown): string | null =>
  checkUrl(claim, MAX_AVATAR) === undefined ? (claim as string) : null;
