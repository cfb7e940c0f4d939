import { Flag, Text } from '../../common/input/fields';
import { MAX_ACCOUNT } from '../entities/user.entity';

/* Lengths in characters (API 2.4). */
export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 128;
/** Longer than any token issued by this service. A longer one is rejected without a query. */
const MAX_REFRESH_TOKEN = 2_000;

export class LoginRequest {
  /** Login name, case-insensitive. */
  @Text({ max: MAX_ACCOUNT })
  account!: string;

  /** The password, at most 128 characters. */
  @Text({ max: MAX_PASSWORD })
  password!: string;

  /**
   * Whether to set the refresh token as a cookie that scripts cannot read, instead of returning it in the body.
   * @example false
   */
  @Flag({ optional: true })
  cookie?: boolean;
}

export class RefreshTokenRequest {
  /** The refresh token from the login or the last refresh; valid for one exchange. Default: the token in the cookie. */
  @Text({ max: MAX_REFRESH_TOKEN, optional: true })
  refresh_token?: string;
}

export class ChangePasswordRequest {
  /**
   * The current password.
   * @example "callboard-demo"
   */
  @Text({ max: MAX_PASSWORD })
  old_password!: string;

  /**
   * The new password, 8 to 128 characters.
   * @example "correct horse battery"
   */
  @Text({ min: MIN_PASSWORD, max: MAX_PASSWORD })
  new_password!: string;
}
