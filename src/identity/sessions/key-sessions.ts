import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { onCommit } from '../../database/transaction-hooks';
import { TokenAuthenticator } from '../tokens/token-authenticator';
import { deleteSessionsOfKey, usersWithSessionsOf } from './key-sessions.store';

/** Ends sessions that were opened by API keys with `tokens:issue` (API 4.1). */
@Injectable()
export class KeySessions {
  constructor(private readonly authenticator: TokenAuthenticator) {}

  /**
   * Ends all sessions of an API key within the transaction that revokes the key, which has locked its row. After the
   * commit their access tokens are rejected: on this instance immediately, on other instances within ten seconds.
   */
  async endAll(em: EntityManager, keyId: number): Promise<void> {
    const userIds = await usersWithSessionsOf(em, keyId);
    if (userIds.length === 0) return;
    await deleteSessionsOfKey(em, keyId);
    onCommit(em, {
      afterCommit: () => userIds.forEach((userId) => this.authenticator.forget(userId)),
    });
  }
}
