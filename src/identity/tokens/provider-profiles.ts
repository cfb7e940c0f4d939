import { Inject, Injectable } from '@nestjs/common';
import type { TokenClaims } from '../../common/auth/principal';
import { foldCase } from '../../common/fold-case';
import { CONFIG, type Config } from '../../config/config';
import { lockingRows } from '../../database/dialect';
import { Transactions } from '../../database/transactions';
import { UserEntity } from '../entities/user.entity';
import { UserChanges } from '../user-changes';
import { profileFrom } from './token-user';

/** Names and pictures that follow a provider's tokens, where `PROFILE_SOURCE` is `token` (contract 18.1). */
@Injectable()
export class ProviderProfiles {
  readonly #follows: boolean;

  constructor(
    @Inject(CONFIG) { auth }: Config,
    private readonly transactions: Transactions,
    private readonly changes: UserChanges,
  ) {
    this.#follows = auth.provider.profileSource === 'token';
  }

  /** Whether a token knows better than the one from which name and picture were taken; `takenAt`: when that was issued. */
  isNewer({ issuedAt }: TokenClaims, takenAt: number | null): boolean {
    return this.#follows && issuedAt !== undefined && issuedAt > (takenAt ?? 0);
  }

  /** Takes what a token says, unless a newer one was taken meanwhile; answers when the token was issued that counts now. */
  take(id: number, claims: TokenClaims): Promise<number | null> {
    return this.transactions.run(async (em) => {
      const row = em.createQueryBuilder(UserEntity, 'u').where({ id });
      const user = await lockingRows(row).getOneOrFail();
      if (!this.isNewer(claims, user.profile_at)) return user.profile_at;
      const { name = user.name, avatar = user.avatar } = profileFrom(claims);
      const isOther = name !== user.name || avatar !== user.avatar;
      const profile_at = claims.issuedAt ?? null;
      // Also where nothing differs: an older token that comes later must not undo it.
      await em.update(UserEntity, { id }, { name, name_key: foldCase(name), avatar, profile_at });
      if (isOther) this.changes.announce(em, Object.assign(user, { name, avatar }), claims.role);
      return profile_at;
    });
  }
}
