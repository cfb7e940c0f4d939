import { Inject, Injectable } from '@nestjs/common';
import { AvatarsService } from '../attachments/services/avatars.service';
import { addAvatarUse } from '../attachments/store/avatar-uses.store';
import type { Principal } from '../common/auth/principal';
import { BusinessError } from '../common/errors/business-error';
import { CONFIG, type Config } from '../config/config';
import { Transactions } from '../database/transactions';
import type { ChangeProfileRequest } from './dto/profile.dto';
import { type MeResponse, toMeResponse } from './dto/user-responses.dto';
import { UserChanges } from './user-changes';
import { changeUser, lockUser } from './user-rows.store';

/**
 * Whether users may edit their name and picture. With `PROFILE_SOURCE=token` the next provider token would overwrite
 * the change.
 */
export const mayEditProfiles = ({ auth, people }: Pick<Config, 'auth' | 'people'>): boolean =>
  people.profileEditing && auth.provider.profileSource !== 'token';

/** Changes to a user's own profile (API 9.3). */
@Injectable()
export class OwnProfileService {
  readonly #mayEdit: boolean;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly transactions: Transactions,
    private readonly changes: UserChanges,
    private readonly avatars: AvatarsService,
  ) {
    this.#mayEdit = mayEditProfiles(config);
  }

  /**
   * Changes the fields that are sent. A value equal to the stored one is no change.
   * @throws {BusinessError} NOT_ALLOWED: users may not edit name and picture; the errors of `AvatarsService.make`
   */
  async change(principal: Principal, body: ChangeProfileRequest): Promise<MeResponse> {
    const { name, discoverable, presence_visible, avatar_attachment_id } = body;
    const changesFace = [name, body.avatar, avatar_attachment_id].some((value) => value !== undefined);
    if (!this.#mayEdit && changesFace) throw new BusinessError('NOT_ALLOWED');
    const made = await this.avatars.make(principal.id, avatar_attachment_id);
    const avatar = made?.url ?? body.avatar;
    return this.transactions.run(async (em) => {
      const locked = await lockUser(em, principal.id);
      const settings = { name, avatar, discoverable, presence_visible };
      const changed = await changeUser(em, locked, settings);
      const { user, fields } = changed;
      if (made !== undefined && fields.includes('avatar')) await addAvatarUse(em, 'user', user.id, made);
      await this.changes.updated(em, changed, principal.role);
      return toMeResponse(user, principal);
    });
  }
}
