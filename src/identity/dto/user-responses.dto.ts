import type { Principal, Role } from '../../common/auth/principal';
import { terminalOfSession } from '../../common/auth/session-terminal';
import { Always, Moment, Picture, ZeroOrOne } from '../../openapi/response-fields';
import type { UserEntity } from '../entities/user.entity';

/** A user, as log-in and the administration show it. */
export class UserResponse {
  id!: number;
  /** The log-in name; null for users of an identity provider outside. */
  account!: string | null;
  name!: string;
  /** URL of a picture. */
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

/** A user, as that user sees it. */
export class OwnUserResponse {
  id!: number;
  /** The log-in name; null for users of an identity provider outside. */
  account!: string | null;
  name!: string;
  /** URL of a picture. */
  @Picture()
  avatar!: string | null;
  /** The role that counts: the token's. */
  role!: Role;
  @Moment()
  created_at!: Date;
}

/** The current user. */
export class MeResponse extends OwnUserResponse {
  /** The terminal that the session is where calls name none; null for tokens without a session. */
  terminal_id!: string | null;
}

/** What log-in and refresh give out. */
export class TokensResponse {
  access_token!: string;
  @Always('Bearer')
  token_type!: string;
  /** How many seconds the access token lasts. */
  expires_in!: number;
  /** Good for one refresh. */
  refresh_token!: string;
  user!: UserResponse;
  /** The terminal that the session is where calls name none. */
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

export const toOwnUserResponse = (user: UserEntity, role: Role): OwnUserResponse => ({
  id: user.id,
  account: user.account,
  name: user.name,
  avatar: user.avatar,
  role,
  created_at: user.created_at,
});

export const toMeResponse = (user: UserEntity, { role, sid }: Principal): MeResponse =>
  Object.assign(toOwnUserResponse(user, role), {
    terminal_id: sid === undefined ? null : terminalOfSession(sid),
  });
