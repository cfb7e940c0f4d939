import { Flag, Id, Url } from '../../common/input/fields';
import { Name } from '../../common/input/name-field';
import { MAX_AVATAR } from '../entities/user.entity';
import { MAX_NAME } from '../rules/limits.rules';

/** Only the fields that are sent are changed. */
export class ChangeProfileRequest {
  @Name({ max: MAX_NAME, optional: true })
  name?: string;

  /** URL of a picture; null removes it. */
  @Url({ max: MAX_AVATAR, optional: true, nullable: true })
  avatar?: string | null;

  /**
   * The user's own uploaded image, of which the picture is made; replaces `avatar`.
   * @example 1
   */
  @Id({ optional: true })
  avatar_attachment_id?: number;

  /** Whether other users can find the user by name. */
  @Flag({ optional: true })
  discoverable?: boolean;

  /** Whether other users see when the user is online. If false, the user cannot see the presence of others either. */
  @Flag({ optional: true })
  presence_visible?: boolean;
}
