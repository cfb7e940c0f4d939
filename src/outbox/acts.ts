import { Injectable } from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { Transactions } from '../database/transactions';
import type { ActPayloads, ActType } from './act-types';
import { newEventId } from './event-id';
import { insertActs, type NewRow } from './store/outbox-rows';

/** Where a transaction keeps the acts that it records. */
const PENDING = 'acts';
/** Of every end of a call there is an act, for it is counted, whoever else wants to hear of it (contract 9). */
const ALWAYS_WANTED: ActType = 'call.ended';

/** By what modules record what back ends are told of. */
@Injectable()
export class Acts {
  /** Undefined while it is not known: then any type may be wanted. */
  #wanted?: ReadonlySet<ActType>;
  readonly #recorded = new Subject<void>();

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

  /** Emits when a transaction of this instance that recorded acts has committed. */
  get recorded(): Observable<void> {
    return this.#recorded;
  }

  #pendingOf(em: EntityManager): NewRow[] {
    return this.transactions.gather(em, PENDING, () => {
      const acts: NewRow[] = [];
      return {
        gathered: acts,
        write: () => insertActs(em, acts),
        committed: () => this.#recorded.next(),
      };
    });
  }
}
