import { Injectable } from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';
import type { EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../common/clock';
import { Transactions } from '../database/transactions';
import type { ActPayloads, ActType } from './act-types';
import { newEventId } from './event-id';
import { type ClaimedAct, insertActs, type NewRow, toAct } from './store/outbox-rows';

/** Key of the transaction-scoped list of recorded domain events. */
const PENDING = 'acts';
/** Recorded even without subscribers, because the statistics count the ends of calls (contract 9). */
const ALWAYS_RECORDED: ActType = 'call.ended';

/** Claim of a dispatcher on new domain events, and its duration in seconds. */
export interface Claiming {
  claim: string;
  seconds: number;
}

/** Records domain events in the outbox, in the transaction that causes them. */
@Injectable()
export class Acts {
  /** Undefined until it is loaded: any type may have subscribers then. */
  #subscribedTypes?: ReadonlySet<ActType>;
  #claiming?: Claiming;
  readonly #recorded = new Subject<ClaimedAct[]>();

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether domain events of a type may have subscribers. The result may be some seconds old. Used to skip queries that
   * only a domain event needs.
   */
  isWanted(type: ActType): boolean {
    return type === ALWAYS_RECORDED || (this.#subscribedTypes?.has(type) ?? true);
  }

  /**
   * Adds a domain event to the running transaction. The row is inserted before the commit, together with the user
   * events, so it comes last in the lock order. Does nothing if the type has no subscribers.
   * @param subject the resource, such as `call:17`
   * @throws {Error} if `em` does not belong to a transaction of `Transactions.run`
   */
  record<K extends ActType & keyof ActPayloads>(
    em: EntityManager,
    type: K,
    subject: string,
    payload: () => ActPayloads[K],
  ): void {
    if (!this.isWanted(type)) return;
    this.#pendingOf(em).push({
      event_id: newEventId(),
      type,
      subject,
      payload: JSON.stringify(payload()),
      created_at: this.clock.now(),
    });
  }

  /** Sets the types that have subscribers. */
  want(types: ReadonlySet<ActType>): void {
    this.#subscribedTypes = types;
  }

  /**
   * Sets the claim with which new domain events are inserted, so that the dispatcher of this instance can dispatch them
   * from memory. Undefined: they are inserted unclaimed.
   */
  claimBy(claiming: Claiming | undefined): void {
    this.#claiming = claiming;
  }

  /** Emits the claimed domain events of each transaction of this instance after its commit. */
  get recorded(): Observable<ClaimedAct[]> {
    return this.#recorded;
  }

  #pendingOf(em: EntityManager): NewRow[] {
    return this.transactions.transactionScoped(em, PENDING, () => {
      const rows: NewRow[] = [];
      let claimed: ClaimedAct[] = [];
      return {
        value: rows,
        beforeCommit: async () => {
          const { claim = null, seconds = 0 } = this.#claiming ?? {};
          const ids = await insertActs(em, rows, { claim, due_at: plusSeconds(this.clock.now(), seconds) });
          if (claim !== null) claimed = rows.map((row, index) => ({ id: ids[index] ?? 0, act: toAct(row) }));
        },
        afterCommit: () => this.#recorded.next(claimed),
      };
    });
  }
}
