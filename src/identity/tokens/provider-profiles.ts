import { Inject, Injectable } from '@nestjs/common';
import type { TokenClaims } from '../../common/auth/principal';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { UserActs } from '../events/user-acts';
import { UserChanges } from '../user-changes';
import { changeUser, holdUser } from '../user-rows.queries';
import { profileFrom } from './token-user';

const PROFILE = ['name', 'avatar'] as const;

/** Names and pictures that follow a provider's tokens, where `PROFILE_SOURCE` is `token` (contract 18.1). */
@Injectable()
export class ProviderProfiles {
  readonly #follows: boolean;

  constructor(
    @Inject(CONFIG) { auth }: Config,
    private readonly transactions: Transactions,
    private readonly changes: UserChanges,
    private readonly acts: UserActs,
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
      const held = await holdUser(em, id);
      if (!this.isNewer(claims, held.profile_at)) return held.profile_at;
      const profile_at = claims.issuedAt ?? null;
      // The time also where nothing differs: an older token that comes later must not undo it.
      const { user, fields } = await changeUser(em, held, { ...profileFrom(claims), profile_at });
      const seen = PROFILE.filter((field) => fields.includes(field));
      if (seen.length > 0) await this.changes.announce(em, user, claims.role, seen);
      this.acts.updated(em, user, fields);
      return profile_at;
    });
  }
}
