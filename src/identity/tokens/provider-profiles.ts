import { Inject, Injectable } from '@nestjs/common';
import type { TokenClaims } from '../../common/auth/principal';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { UserChanges } from '../user-changes';
import { changeUser, lockUser } from '../user-rows.store';
import { profileFrom } from './token-user';

/** Updates names and pictures from provider tokens if `PROFILE_SOURCE` is `token` (API 2.3). */
@Injectable()
export class ProviderProfiles {
  readonly #isEnabled: boolean;

  constructor(
    @Inject(CONFIG) { auth }: Config,
    private readonly transactions: Transactions,
    private readonly changes: UserChanges,
  ) {
    this.#isEnabled = auth.provider.profileSource === 'token';
  }

  /**
   * Returns whether a token is newer than the one from which name and picture were taken.
   * @param takenAt issue time of that token, in ms since 1970; null without one
   */
  isNewer({ issuedAt }: TokenClaims, takenAt: number | null): boolean {
    return this.#isEnabled && issuedAt !== undefined && issuedAt > (takenAt ?? 0);
  }

  /**
   * Stores name and picture of a token, unless a newer token was stored meanwhile. Returns the issue time of the stored
   * token, in ms since 1970.
   */
  take(id: number, claims: TokenClaims): Promise<number | null> {
    return this.transactions.run(async (em) => {
      const locked = await lockUser(em, id);
      if (!this.isNewer(claims, locked.profile_at)) return locked.profile_at;
      const profile_at = claims.issuedAt ?? null;
      // The issue time is stored even if nothing else differs: an older token that arrives later must not undo the
      // profile.
      const changed = await changeUser(em, locked, { ...profileFrom(claims), profile_at });
      await this.changes.updated(em, changed, claims.role);
      return profile_at;
    });
  }
}
