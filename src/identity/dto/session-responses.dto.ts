import { Moment } from '../../openapi/response-fields';

/** A log-in that goes on. */
export class SessionResponse {
  /** By which to end it; from 1. */
  id!: number;
  /** Whether the request's token belongs to it. */
  current!: boolean;
  /** When the user logged in. */
  @Moment()
  created_at!: Date;
  /** When the user logged in or the tokens were refreshed last. */
  @Moment()
  last_used_at!: Date;
  /** When it ends unless it is refreshed before. */
  @Moment()
  expires_at!: Date;
  /**
   * The address it was used from last; null where it is not known.
   * @example "192.0.2.7"
   */
  ip!: string | null;
  /**
   * What the client called itself then, at most 255 characters; null where it did not.
   * @example "Mozilla/5.0"
   */
  user_agent!: string | null;
}

/** A session, as administrators see it. */
export class UserSessionResponse extends SessionResponse {
  /**
   * The key of a back end that opened it; null: the user logged in. The key may be revoked by now.
   * @example 7
   */
  api_key_id!: number | null;
}

/** The sessions of a user, as administrators see them. */
export class UserSessionsResponse {
  /** The first 200, the one used last first. */
  items!: UserSessionResponse[];
}

/** The sessions of a user, the one used last first. */
export class SessionsResponse {
  /** The first 200, the one used last first. */
  items!: SessionResponse[];
}
