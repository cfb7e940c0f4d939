import { Injectable } from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';
import type { EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../common/clock';
import { Transactions } from '../database/transactions';
import type { ActPayloads, ActType } from './act-types';
import { newEventId } from './event-id';
import { type ClaimedAct, insertActs, type NewRow, toAct } from './store/outbox-rows';

/** Where a transaction keeps the acts that it records. */
const PENDING = 'acts';
/** Of every end of a call there is an act, for it is counted, whoever else wants to hear of it (contract 9). */
const ALWAYS_WANTED: ActType = 'call.ended';

/** What a router claims acts by, and for how long. */
export interface Claiming {
  claim: string;
  seconds: number;
}

/** By what modules record what back ends are told of. */
@Injectable()
export class Acts {
  /** Undefined while it is not known: then any type may be wanted. */
  #wanted?: ReadonlySet<ActType>;
  #claiming?: Claiming;
  readonly #recorded = new Subject<ClaimedAct[]>();

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Whether somebody could want acts of a type, as known for some seconds. Asked where an act costs a question. */
  isWanted(type: ActType): boolean {
    return type === ALWAYS_WANTED || (this.#wanted?.has(type) ?? true);
  }

  /**
   * Adds an act to the running transaction: it exists if and when that commits. It is written at the end, with the
   * events, so its row comes last in the order of locks. Nothing is done where nobody could want it.
   * @param subject what it is about, such as `call:17`
   * @throws {Error} when `em` belongs to no transaction of `Transactions.run`
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

  /** Says which types are wanted from now on. */
  want(types: ReadonlySet<ActType>): void {
    this.#wanted = types;
  }

  /** From now on acts are written as claimed, so that who routes them here need not ask for them; or as nobody's. */
  claimBy(claiming: Claiming | undefined): void {
    this.#claiming = claiming;
  }

  /** Emits the acts of a transaction of this instance that were written as claimed, once it has committed. */
  get recorded(): Observable<ClaimedAct[]> {
    return this.#recorded;
  }

  #pendingOf(em: EntityManager): NewRow[] {
    return this.transactions.gather(em, PENDING, () => {
      const acts: NewRow[] = [];
      let claimed: ClaimedAct[] = [];
      return {
        gathered: acts,
        write: async () => {
          const { claim = null, seconds = 0 } = this.#claiming ?? {};
          const ids = await insertActs(em, acts, { claim, due_at: plusSeconds(this.clock.now(), seconds) });
          if (claim !== null) claimed = acts.map((row, index) => ({ id: ids[index] ?? 0, act: toAct(row) }));
        },
        committed: () => this.#recorded.next(claimed),
      };
    });
  }
}
