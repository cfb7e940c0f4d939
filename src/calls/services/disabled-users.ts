import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import type { UserId } from '../../common/ids';
import { UserChanges } from '../../identity/user-changes';
import { CallTransitions } from './call-transitions';
import { activeParticipants, callsByIds } from '../store/calls.store';

/** The `end_reason` of a call that ends because one of its users is disabled. */
const USER_DISABLED = 'user_disabled';

/** Ends the calls of users in the transaction that disables them, on whichever instance it runs (API 2.1). */
@Injectable()
export class DisabledUsers implements OnModuleInit {
  constructor(
    private readonly users: UserChanges,
    private readonly transitions: CallTransitions,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.users.onDisable((em, userIds) => this.#endCalls(em, userIds as UserId[]));
  }

  /**
   * Requires row locks on the users. Call creation locks the rows of both users in share mode, so a concurrent call is
   * either found here, or its creation waits and then fails because the user is disabled.
   */
  async #endCalls(em: EntityManager, userIds: UserId[]): Promise<void> {
    for (;;) {
      const active = await activeParticipants(em, userIds);
      const callIds = active.map(({ call_id }) => call_id);
      const calls = await callsByIds(em, callIds);
      if (calls.length === 0) return;
      // By ascending id, which is the lock order. A call that another transaction changed first is read again in the
      // next iteration.
      for (const call of calls.toSorted((a, b) => a.id - b.id))
        await this.transitions.end(em, call, { end_reason: USER_DISABLED, ended_at: this.clock.now() });
    }
  }
}
