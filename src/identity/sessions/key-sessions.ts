import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { onCommit } from '../../database/transaction-hooks';
import { TokenAuthenticator } from '../tokens/token-authenticator';
import { deleteSessionsOfKey } from './key-sessions.store';

const BATCH_SIZE = 500;

/** Ends sessions that were opened by API keys with `tokens:issue` (API 4.1). */
@Injectable()
export class KeySessions {
  constructor(private readonly authenticator: TokenAuthenticator) {}

  /**
   * Ends some sessions of an API key, and returns whether there may be more. After the commit their access tokens are
   * rejected: on this instance immediately, on other instances within ten seconds.
   */
  async endSome(em: EntityManager, keyId: number): Promise<boolean> {
    const userIds = await deleteSessionsOfKey(em, keyId, BATCH_SIZE);
    onCommit(em, {
      afterCommit: () => userIds.forEach((userId) => this.authenticator.forget(userId)),
    });
    return userIds.length === BATCH_SIZE;
  }
}
