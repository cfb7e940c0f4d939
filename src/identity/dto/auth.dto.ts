import { Text } from '../../common/input/fields';
import { MAX_ACCOUNT } from '../entities/user.entity';

/* Lengths in characters (contract 2). */
export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 128;
/** Longer than any token that was given out here; a longer one is not even looked up. */
const MAX_REFRESH_TOKEN = 2_000;

export class LoginRequest {
  /** Compared without case. */
  @Text({ max: MAX_ACCOUNT })
  account!: string;

  @Text({ max: MAX_PASSWORD })
  password!: string;
}

export class RefreshTokenRequest {
  @Text({ max: MAX_REFRESH_TOKEN })
  refresh_token!: string;
}

export class ChangePasswordRequest {
  @Text({ max: MAX_PASSWORD })
  old_password!: string;

  @Text({ min: MIN_PASSWORD, max: MAX_PASSWORD })
  new_password!: string;
}
