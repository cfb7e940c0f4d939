import { Text } from '../../common/http/fields';
import { MAX_ACCOUNT, MAX_PASSWORD, MIN_PASSWORD } from '../limits';

/** Longer than any token that was given out here; a longer one is not even looked up. */
const MAX_REFRESH_TOKEN = 2_000;

export class LoginBody {
  /** Compared without case. */
  @Text({ max: MAX_ACCOUNT })
  account!: string;

  @Text({ max: MAX_PASSWORD })
  password!: string;
}

export class RefreshTokenBody {
  @Text({ max: MAX_REFRESH_TOKEN })
  refresh_token!: string;
}

export class ChangePasswordBody {
  @Text({ max: MAX_PASSWORD })
  old_password!: string;

  @Text({ min: MIN_PASSWORD, max: MAX_PASSWORD })
  new_password!: string;
}
