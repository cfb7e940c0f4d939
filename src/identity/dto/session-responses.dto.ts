import type { PageRequest } from '../../common/http/page';
import { PageNumber, PerPage, QueryId } from '../../common/input/fields';
import { TimestampField } from '../../openapi/response-fields';

/** GET /api/admin/sessions (API 3.2). */
export class ListSessionsQuery implements PageRequest {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /**
   * Only the sessions of this user.
   * @example 2
   */
  @QueryId()
  user_id?: number;
}

/** An active login session. */
export class SessionResponse {
  /** The id with which the session can be ended; from 1. */
  id!: number;
  /** Whether the token of this request belongs to the session. */
  current!: boolean;
  /** When the user logged in. */
  @TimestampField()
  created_at!: Date;
  /** When the tokens were issued or refreshed last. */
  @TimestampField()
  last_used_at!: Date;
  /** When the session expires unless it is refreshed. */
  @TimestampField()
  expires_at!: Date;
  /**
   * The address from which the session was used last; null if unknown.
   * @example "192.0.2.7"
   */
  ip!: string | null;
  /**
   * The `User-Agent` of that client, at most 255 characters; null if it sent none.
   * @example "Mozilla/5.0"
   */
  user_agent!: string | null;
}

/** A session as shown to administrators. */
export class UserSessionResponse extends SessionResponse {
  /**
   * The API key that opened the session, which may have been revoked since; null: the user logged in.
   * @example 7
   */
  api_key_id!: number | null;
}

/** A session in the list of all sessions. */
export class AnySessionResponse extends UserSessionResponse {
  /**
   * The user who is logged in.
   * @example 2
   */
  user_id!: number;
  /**
   * The name of the user; null when the user no longer exists.
   * @example "爱丽丝"
   */
  user_name!: string | null;
}

/** The sessions of a user as shown to administrators. */
export class UserSessionsResponse {
  /** The first 200 sessions, most recently used first. */
  items!: UserSessionResponse[];
}

/** The sessions of the current user, most recently used first. */
export class SessionsResponse {
  /** The first 200 sessions, most recently used first. */
  items!: SessionResponse[];
}
