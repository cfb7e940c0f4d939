import type { Principal, Role } from '../../common/auth/principal';
import { terminalOfSession } from '../../common/auth/session-terminal';
import { Always, TimestampField, Picture, ZeroOrOne } from '../../openapi/response-fields';
import type { UserEntity } from '../entities/user.entity';
import type { Seen } from '../listing/user-presence';

/** A user as returned by login. */
export class UserResponse {
  /**
   * The user's id, from 1.
   * @example 2
   */
  id!: number;
  account!: string | null;
  name!: string;
  @Picture()
  avatar!: string | null;
  /** The role that login writes into tokens. */
  role!: Role;
  /** 1 enabled, 0 disabled. */
  @ZeroOrOne()
  status!: number;
  @TimestampField()
  created_at!: Date;
}

/** A user as shown to administrators and backends. */
export class UserRecordResponse extends UserResponse {
  /** The id of the user in the operator's backend; null if none was set. */
  external_id!: string | null;
}

/** A user as shown in the administration. */
export class AdminUserResponse extends UserRecordResponse {
  /** Whether the user has an event stream open, regardless of `presence_visible`. */
  online!: boolean;
  /** When the user's last event stream was closed; null while the user is online, and if the user never was. */
  @TimestampField()
  last_seen_at!: Date | null;
}

/** The columns of the CSV export. */
export const USER_COLUMNS = [
  'id',
  'account',
  'name',
  'avatar',
  'role',
  'status',
  'created_at',
  'external_id',
  'online',
  'last_seen_at',
] as const satisfies readonly (keyof AdminUserResponse)[];

/** A user as shown to that user. */
export class OwnUserResponse {
  /**
   * The user's id, from 1.
   * @example 2
   */
  id!: number;
  account!: string | null;
  name!: string;
  @Picture()
  avatar!: string | null;
  /** The role of the token, which takes precedence over the stored one. */
  role!: Role;
  @TimestampField()
  created_at!: Date;
  /** Whether other users can find the user by name. */
  discoverable!: boolean;
  /** Whether other users see when the user is online. If false, the user cannot see the presence of others either. */
  presence_visible!: boolean;
}

/** The current user. */
export class MeResponse extends OwnUserResponse {
  /**
   * The terminal id of the session, used by calls that name no terminal; null for tokens without a session.
   * @example "s:9f2c41d07b6e4f0c"
   */
  terminal_id!: string | null;
}

/** The tokens issued by login and refresh. */
export class TokensResponse {
  /**
   * The access token, a JWT, for `Authorization: Bearer …`.
   * @example "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIyIn0.c2lnbmF0dXJl"
   */
  access_token!: string;
  /** The authentication scheme. */
  @Always('Bearer')
  token_type!: string;
  /**
   * Lifetime of the access token in seconds.
   * @example 7200
   */
  expires_in!: number;
  /** The refresh token, valid for one refresh; null if it was set as a cookie. */
  refresh_token!: string | null;
  /** The user to whom the tokens belong. */
  user!: UserResponse;
  /**
   * The terminal id of the session, used by calls that name no terminal.
   * @example "s:9f2c41d07b6e4f0c"
   */
  terminal_id!: string;
}

export const toUserResponse = (user: UserEntity): UserResponse => ({
  id: user.id,
  account: user.account,
  name: user.name,
  avatar: user.avatar,
  role: user.role,
  status: user.status,
  created_at: user.created_at,
});

export const toUserRecordResponse = (user: UserEntity): UserRecordResponse =>
  // An external id with an issuer belongs to the identity provider and is not shown.
  Object.assign(toUserResponse(user), { external_id: user.issuer === '' ? user.external_id : null });

/** @param seen undefined for a user who was never online */
export const toAdminUserResponse = (user: UserEntity, seen?: Seen): AdminUserResponse =>
  Object.assign(toUserRecordResponse(user), {
    online: seen?.online ?? false,
    last_seen_at: seen?.lastSeenAt ?? null,
  });

export const toOwnUserResponse = (user: UserEntity, role: Role): OwnUserResponse => ({
  id: user.id,
  account: user.account,
  name: user.name,
  avatar: user.avatar,
  role,
  created_at: user.created_at,
  discoverable: user.discoverable,
  presence_visible: user.presence_visible,
});

export const toMeResponse = (user: UserEntity, { role, sid }: Principal): MeResponse =>
  Object.assign(toOwnUserResponse(user, role), {
    terminal_id: sid === undefined ? null : terminalOfSession(sid),
  });
