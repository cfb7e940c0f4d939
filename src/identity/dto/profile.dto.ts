import { Flag, Url } from '../../common/input/fields';
import { Name } from '../../common/input/name-field';
import { MAX_AVATAR } from '../entities/user.entity';
import { MAX_NAME } from '../rules/limits';

/** Only what is sent changes. */
export class ChangeProfileRequest {
  @Name({ max: MAX_NAME, optional: true })
  name?: string;

  /** URL of a picture; null takes it away. */
  @Url({ max: MAX_AVATAR, optional: true, nullable: true })
  avatar?: string | null;

  /** Whether others find one by name. */
  @Flag({ optional: true })
  discoverable?: boolean;

  /** Whether others see when one is there; who hides sees nobody either. */
  @Flag({ optional: true })
  presence_visible?: boolean;
}
