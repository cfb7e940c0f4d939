import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../audit/recording/record-audit';
import { repeatWhile } from '../common/jobs/periodic-job';
import { Transactions } from '../database/transactions';
import { SessionsService } from '../identity/sessions/sessions.service';
import { auditedFields } from './keys.service';
import { deleteKey, lockKey } from './keys.store';
import { ApiKeyCache } from './api-key-cache';

/** Revokes API keys (API 4.1). */
@Injectable()
export class KeyRevocation {
  constructor(
    private readonly transactions: Transactions,
    private readonly cache: ApiKeyCache,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Revokes an API key. It is rejected on this instance immediately, on other instances within ten seconds.
   * @param endSessions whether to end the sessions that the key opened for users
   * @throws {BusinessError} KEY_NOT_FOUND
   */
  async revoke(id: number, { endSessions }: { endSessions: boolean }): Promise<void> {
    const endSome = async (em: EntityManager): Promise<boolean> => {
      // Without the key no session ends: the administrator who has revoked it has kept them.
      await lockKey(em, id);
      return this.sessions.endSomeOfKey(em, id);
    };
    // A key that was stolen may have opened more sessions than one transaction ends in time.
    if (endSessions) await repeatWhile(() => this.transactions.run(endSome));
    await this.transactions.run(async (em) => {
      const key = await lockKey(em, id);
      await deleteKey(em, id);
      // Ends sessions that were opened meanwhile. The lock of the key prevents further ones.
      if (endSessions) await repeatWhile(() => this.sessions.endSomeOfKey(em, id));
      recordAudit(em, { object_id: id, before: auditedFields(key), after: null });
    });
    this.cache.invalidate();
  }
}
