import type { Principal, Role } from '../../common/auth/principal';
import { terminalOfSession } from '../../common/auth/session-terminal';
import { Always, Moment, Picture, ZeroOrOne } from '../../openapi/response-fields';
import type { UserEntity } from '../entities/user.entity';
import type { Seen } from '../listing/user-presence';

/** A user, as log-in shows it. */
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
  /** What log-in puts into a token. */
  role!: Role;
  /** 1 enabled, 0 disabled. */
  @ZeroOrOne()
  status!: number;
  @Moment()
  created_at!: Date;
}

/** What is kept of a user, as administrators and back ends see it. */
export class UserRecordResponse extends UserResponse {
  /** The id by which the operator's own back end knows the user; null where it has told none. */
  external_id!: string | null;
}

/** A user, as the administration shows it. */
export class AdminUserResponse extends UserRecordResponse {
  /** Whether the user has a stream of events open, also where it lets nobody see. */
  online!: boolean;
  /** When the last one closed; null while the user is there, and when there has been none. */
  @Moment()
  last_seen_at!: Date | null;
}

/** The columns of CSV: the fields of a user. */
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

/** A user, as that user sees it. */
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
  /** The role that counts: the token's. */
  role!: Role;
  @Moment()
  created_at!: Date;
  /** Whether others find one by name. */
  discoverable!: boolean;
  /** Whether others see when one is there; who hides sees nobody either. */
  presence_visible!: boolean;
}

/** The current user. */
export class MeResponse extends OwnUserResponse {
  /**
   * The terminal that the session is where calls name none; null for tokens without a session.
   * @example "s:9f2c41d07b6e4f0c"
   */
  terminal_id!: string | null;
}

/** What log-in and refresh give out. */
export class TokensResponse {
  /**
   * Goes into `Authorization: Bearer …`; a JWT.
   * @example "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIyIn0.c2lnbmF0dXJl"
   */
  access_token!: string;
  /** What goes before the token. */
  @Always('Bearer')
  token_type!: string;
  /**
   * How many seconds the access token lasts.
   * @example 7200
   */
  expires_in!: number;
  /** Good for one refresh; null where it went into the cookie. */
  refresh_token!: string | null;
  /** Who has logged in. */
  user!: UserResponse;
  /**
   * The terminal that the session is where calls name none.
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
  // One that has an issuer is the provider's.
  Object.assign(toUserResponse(user), { external_id: user.issuer === '' ? user.external_id : null });

/** @param seen left out of a user who has never been there */
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
