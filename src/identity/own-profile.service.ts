import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../common/auth/principal';
import { BusinessError } from '../common/errors/business-error';
import { CONFIG, type Config } from '../config/config';
import { Transactions } from '../database/transactions';
import type { ChangeProfileRequest } from './dto/profile.dto';
import { type MeResponse, toMeResponse } from './dto/user-responses.dto';
import { UserActs } from './events/user-acts';
import { type OwnField, UserChanges } from './user-changes';
import { changeUser, holdUser } from './user-rows.queries';

/** Whether users change their names and pictures; what follows an identity provider's tokens would be overwritten by the next. */
export const mayEditProfiles = ({ auth, people }: Pick<Config, 'auth' | 'people'>): boolean =>
  people.profileEditing && auth.provider.profileSource !== 'token';

/** What users change of themselves (contract 16.1). */
@Injectable()
export class OwnProfileService {
  readonly #mayEdit: boolean;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly transactions: Transactions,
    private readonly changes: UserChanges,
    private readonly acts: UserActs,
  ) {
    this.#mayEdit = mayEditProfiles(config);
  }

  /**
   * Changes what is sent; what is the same already is no change.
   * @throws {BusinessError} NOT_ALLOWED: name and picture are not theirs to change
   */
  async change(principal: Principal, body: ChangeProfileRequest): Promise<MeResponse> {
    const { name, avatar, discoverable, presence_visible } = body;
    if (!this.#mayEdit && (name !== undefined || avatar !== undefined))
      throw new BusinessError('NOT_ALLOWED');
    return this.transactions.run(async (em) => {
      const held = await holdUser(em, principal.id);
      const settings = { name, avatar, discoverable, presence_visible };
      const { user, fields } = await changeUser(em, held, settings);
      if (fields.length > 0) await this.changes.announce(em, user, principal.role, fields as OwnField[]);
      this.acts.updated(em, user, fields);
      return toMeResponse(user, principal);
    });
  }
}
