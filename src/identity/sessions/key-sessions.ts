import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { deleteRows } from '../../database/rows';
import { Transactions } from '../../database/transactions';
import { SessionEntity } from '../entities/session.entity';
import { TokenAdmission } from '../tokens/token-admission';
import { usersWithSessionsOf } from './key-sessions.queries';

/** Sessions that keys of back ends have opened by `tokens:issue` (contract 13). */
@Injectable()
export class KeySessions {
  constructor(
    private readonly transactions: Transactions,
    private readonly admission: TokenAdmission,
  ) {}

  /**
   * Ends all sessions of a key, within the transaction that revokes it and has locked its row. Their access tokens are
   * refused after the commit: on this instance immediately, on the others within ten seconds.
   */
  async endAll(em: EntityManager, keyId: number): Promise<void> {
    const userIds = await usersWithSessionsOf(em, keyId);
    if (userIds.length === 0) return;
    await deleteRows(em, SessionEntity, { api_key_id: keyId });
    this.transactions.atEnd(em, {
      write: () => Promise.resolve(),
      committed: () => userIds.forEach((userId) => this.admission.forget(userId)),
    });
  }
}
