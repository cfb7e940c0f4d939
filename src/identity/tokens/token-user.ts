import type { ExternalSubject, TokenClaims } from '../../common/auth/principal';
import { checkUrl } from '../../common/input/fields';
import { isInvisible, withoutControls } from '../../common/visible-text';
import type { MessageCatalogue } from '../../common/i18n/catalogue';
import { MAX_AVATAR, USER_ENABLED, type UserEntity } from '../entities/user.entity';
import { MAX_NAME } from '../rules/limits.rules';
import type { NewUser } from '../user-rows.store';
import type { TokenUser } from '../users.store';

/**
 * Returns the new user for a provider's token that is used for the first time (API 2.3). The claims are trusted,
 * but not their types and formats.
 */
export function newUserFromClaims(
  id: number,
  claims: TokenClaims,
  now: Date,
  catalogue: MessageCatalogue,
): NewUser {
  const name = nameFrom(claims.name) ?? catalogue.userWithoutName(id);
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

/** Returns the valid name and picture of a later token; missing or invalid claims are left out (API 2.3). */
export function profileFrom({ name, picture }: TokenClaims): Partial<Pick<UserEntity, 'name' | 'avatar'>> {
  const [claimed, avatar] = [nameFrom(name), avatarFrom(picture)];
  return { ...(claimed !== undefined && { name: claimed }), ...(avatar !== undefined && { avatar }) };
}

/**
 * Returns the user whom an external subject means; of several, the one with the issuer that comes first (API 2.3).
 */
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

/** A URL that this API would reject counts as no picture. */
const avatarFrom = (claim: unknown): string | undefined =>
  checkUrl(claim, MAX_AVATAR) === undefined ? (claim as string) : undefined;
