import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { lockingShared } from '../../database/dialect';
import { deleteRows } from '../../database/rows';
import { Transactions } from '../../database/transactions';
import { SessionEntity } from '../entities/session.entity';
import { TokenAdmission } from '../tokens/token-admission';

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
    const rows = await em.query<{ user_id: number | string }[]>(
      'SELECT DISTINCT user_id FROM sessions WHERE api_key_id = ?',
      [keyId],
    );
    if (rows.length === 0) return;
    await deleteRows(em, SessionEntity, { api_key_id: keyId });
    this.transactions.atEnd(em, {
      write: () => Promise.resolve(),
      committed: () => rows.forEach(({ user_id }) => this.admission.forget(Number(user_id))),
    });
  }
}

/**
 * Locks the row of a key in share mode, so that no session of the key is opened behind the back of a transaction that
 * revokes it: an instance remembers a key for nine seconds.
 * @throws {BusinessError} UNAUTHORIZED: the key was revoked
 */
export async function requireKey(em: EntityManager, keyId: number): Promise<void> {
  const rows = await em.query<object[]>(`SELECT id FROM api_keys WHERE id = ?${lockingShared(em)}`, [keyId]);
  if (rows.length === 0) throw new BusinessError('ADMIN_UNAUTHORIZED', { reason: 'api key unknown' });
}
