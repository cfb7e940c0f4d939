import { Flag, Text } from '../../common/input/fields';
import { MAX_ACCOUNT } from '../entities/user.entity';

/* Lengths in characters (contract 2). */
export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 128;
/** Longer than any token that was given out here; a longer one is not even looked up. */
const MAX_REFRESH_TOKEN = 2_000;

export class LoginRequest {
  /** The log-in name, without regard to case. */
  @Text({ max: MAX_ACCOUNT })
  account!: string;

  /** At most 128 characters. */
  @Text({ max: MAX_PASSWORD })
  password!: string;

  /**
   * Whether the refresh token goes into a cookie that scripts cannot read, and not into the answer.
   * @example false
   */
  @Flag({ optional: true })
  cookie?: boolean;
}

export class RefreshTokenRequest {
  /** What log-in or the last refresh gave out; it is good for one exchange. Left out: the one in the cookie. */
  @Text({ max: MAX_REFRESH_TOKEN, optional: true })
  refresh_token?: string;
}

export class ChangePasswordRequest {
  /**
   * The one that holds now.
   * @example "callboard-demo"
   */
  @Text({ max: MAX_PASSWORD })
  old_password!: string;

  /**
   * 8 to 128 characters.
   * @example "correct horse battery"
   */
  @Text({ min: MIN_PASSWORD, max: MAX_PASSWORD })
  new_password!: string;
}
