import type { ExternalSubject, TokenClaims } from '../../common/auth/principal';
import { checkUrl } from '../../common/input/fields';
import { isInvisible, withoutControls } from '../../common/visible-text';
import type { Words } from '../../common/words/words';
import { MAX_AVATAR, USER_ENABLED, type UserEntity } from '../entities/user.entity';
import { MAX_NAME } from '../rules/limits';
import type { NewUser } from '../user-rows.queries';

/** What of a user is asked when its token comes. */
export const TOKEN_USER = ['id', 'external_id', 'issuer', 'status', 'profile_at'] as const;
export type TokenUser = Pick<UserEntity, (typeof TOKEN_USER)[number]>;

/** The user that a token seen for the first time makes (contract 1.6). Its claims are trusted but not their shape. */
export function newUserFromClaims(id: number, claims: TokenClaims, now: Date, words: Words): NewUser {
  const name = nameFrom(claims.name) ?? words.userWithoutName(id);
  const external = typeof claims.subject === 'number' ? undefined : claims.subject;
  return {
    id,
    account: null,
    issuer: external?.issuers[0] ?? '',
    external_id: external?.externalId ?? null,
    name,
    avatar: avatarFrom(claims.picture) ?? null,
    discoverable: true,
    presence_visible: true,
    profile_at: claims.issuedAt ?? null,
    role: claims.role,
    status: USER_ENABLED,
    password_hash: null,
    created_at: now,
  };
}

/** What a later token says of a user's name and picture; what it does not say stays (contract 18.1). */
export function profileFrom({ name, picture }: TokenClaims): Partial<Pick<UserEntity, 'name' | 'avatar'>> {
  const [claimed, avatar] = [nameFrom(name), avatarFrom(picture)];
  return { ...(claimed !== undefined && { name: claimed }), ...(avatar !== undefined && { avatar }) };
}

/** The one of some users whom a provider means: of several the one with the issuer that comes first (contract 18.1). */
export const userOf = (
  { externalId, issuers }: ExternalSubject,
  users: readonly TokenUser[],
): TokenUser | undefined =>
  issuers
    .map((issuer) => users.find((user) => user.external_id === externalId && user.issuer === issuer))
    .find((user) => user !== undefined);

function nameFrom(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const name = Array.from(withoutControls(claim).toWellFormed().trim()).slice(0, MAX_NAME).join('');
  return isInvisible(name) ? undefined : name;
}

/** A picture that could not be set here either is none. */
const avatarFrom = (claim: unknown): string | undefined =>
  checkUrl(claim, MAX_AVATAR) === undefined ? (claim as string) : undefined;
