import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import type { CallId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { queryBatcher } from '../../common/concurrency/query-batcher';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { pipeline } from '../../database/transaction-statements';
import type { User } from '../../identity/users.service';
import { CallEventPublisher } from '../events/call-event-publisher';
import { listMissed } from '../store/call-lists.store';
import { deleteSignalsOf } from '../store/call-signals.store';
import { activeParticipants, callsByIds, deleteParticipants, updateCall } from '../store/calls.store';
import { hasGraceUntil } from '../store/media-presence.store';
import { type CallActor, type CallEvent, decide, isFinished, terminalOf } from '../rules/call-state.rules';
import { isMissed } from '../rules/call-outcome.rules';
import { CallEntity } from '../entities/call.entity';

type Changes = Partial<Omit<CallEntity, 'id' | 'version'>>;

/** An event of a user, and the terminal that it comes from. */
interface TerminalEvent {
  event: CallEvent;
  terminalId?: string;
}

/** The writes of an event besides the status. */
interface EventWrites {
  columns: Changes;
  /**
   * Writes further rows in the transaction of the change, which does not wait for it. Statements that are sent later lock
   * only rows of the call.
   */
  inTransaction?: (em: EntityManager) => Promise<void>;
}

interface MoveOptions extends Pick<TerminalEvent, 'terminalId'>, Pick<EventWrites, 'inTransaction'> {
  /** Conditions on the stored row, in addition to its version. */
  onlyIf?: Changes;
  /** Both participants, if they are loaded already. */
  participants?: Map<number, User>;
}

/**
 * Moves calls through their states. A transition is one UPDATE, conditional on the version that the decision was based
 * on. If another transaction changed the call first, the caller reads it and decides again (API 5.5).
 */
@Injectable()
export class CallTransitions {
  /** Loads calls by id, with one query for all requests of one event-loop turn. */
  readonly #callById = queryBatcher<CallEntity | undefined>(async (ids) => {
    const calls = await callsByIds(this.transactions.read(), ids as CallId[]);
    return new Map(calls.map((call) => [call.id, call]));
  }, undefined);

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly publisher: CallEventPublisher,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Applies a user's event to a call, and returns the call afterwards.
   * @param writesOf runs again when another transaction changed the call first
   * @throws {BusinessError} CALL_NOT_FOUND, or the error of the state table for this user and status
   */
  async transition(
    userId: UserId,
    callId: CallId,
    { event, terminalId = '' }: TerminalEvent,
    writesOf: (call: CallEntity, now: Date) => EventWrites = () => ({ columns: {} }),
  ): Promise<CallEntity> {
    for (;;) {
      const call = await this.expireIfDue(callId);
      const isOwnTerminal = terminalOf(call, userId) === terminalId;
      const outcome = decide(call.status, event, callActorOf(call, userId), isOwnTerminal);
      if (outcome === 'keep') return call;
      if ('refuse' in outcome) throw new BusinessError(outcome.refuse);
      const { columns, inTransaction } = writesOf(call, this.clock.now());
      const changes = outcome.move === call.status ? columns : { ...columns, status: outcome.move };
      if (isEmpty(changes)) return call;
      const participants = await this.publisher.participantsOf(call);
      const after = await this.transactions.run((em) =>
        this.move(em, call, changes, { terminalId, inTransaction, participants }),
      );
      if (after) return after;
    }
  }

  /** Returns the stored call without checking its deadline. @throws {BusinessError} CALL_NOT_FOUND */
  async current(callId: CallId): Promise<CallEntity> {
    const call = await this.#callById.load(callId);
    if (call === undefined) throw new BusinessError('CALL_NOT_FOUND');
    return call;
  }

  /**
   * Ends the call if its deadline has passed, so that a late sweep never prolongs a call (API 5.7). Must run
   * before a call is read for a response or changed.
   * @returns the call afterwards
   * @throws {BusinessError} CALL_NOT_FOUND
   */
  async expireIfDue(callId: CallId): Promise<CallEntity> {
    let call = await this.current(callId);
    while (isOverdue(call, this.clock.now())) {
      await this.expire(call);
      call = await this.current(callId);
    }
    return call;
  }

  /** Ends those of these users' calls that are past their deadline. */
  async expireDueOf(userIds: UserId[]): Promise<void> {
    const active = await activeParticipants(this.transactions.read(), userIds);
    for (const callId of new Set(active.map(({ call_id }) => call_id))) await this.expireIfDue(callId);
  }

  /**
   * Ends a call at its deadline: it was not answered, a participant did not come back, or it lasted its maximum
   * duration.
   * @param call as it was read, with a deadline in the past
   * @returns false if another transaction changed it first
   */
  async expire(call: CallEntity): Promise<boolean> {
    const { deadline_at } = call;
    const end_reason = call.status === 'ringing' ? 'no_answer' : await this.#findLateEndReason(call);
    // Also conditional on the deadline: a participant that comes back changes it, but not the version.
    const after = await this.transactions.run((em) =>
      this.end(em, call, { end_reason, ended_at: deadline_at }, { deadline_at }),
    );
    return after !== undefined;
  }

  /**
   * Ends an unfinished call for the service, inside the caller's transaction.
   * @param onlyIf conditions on the stored row, in addition to its version
   * @returns the ended call; undefined if it had finished, or another transaction changed it first
   */
  async end(
    em: EntityManager,
    call: CallEntity,
    ending: Pick<CallEntity, 'end_reason' | 'ended_at'>,
    onlyIf?: Changes,
  ): Promise<CallEntity | undefined> {
    const outcome = decide(call.status, 'end', 'service');
    if (outcome === 'keep' || 'refuse' in outcome) return undefined;
    return this.move(em, call, { status: outcome.move, ...ending, ended_by: null }, { onlyIf });
  }

  async #findLateEndReason({ id, deadline_at }: CallEntity): Promise<string> {
    const isLost = await hasGraceUntil(this.transactions.read(), id, deadline_at ?? new Date(0));
    return isLost ? 'connection_lost' : 'max_duration';
  }

  /**
   * Applies changes to a call, and everything that follows from them, inside the caller's transaction.
   * @param changes if empty, the call and its version stay unchanged
   * @returns the changed call; undefined if another transaction changed it first
   */
  async move(
    em: EntityManager,
    call: CallEntity,
    changes: Changes,
    { terminalId, inTransaction, onlyIf, participants }: MoveOptions = {},
  ): Promise<CallEntity | undefined> {
    if (isEmpty(changes)) return call;
    const finished = changes.status !== undefined && isFinished(changes.status);
    const next = { ...changes, ...(finished ? { deadline_at: null } : {}), version: call.version + 1 };
    const condition = { ...onlyIf, id: call.id, version: call.version };
    if (!(await updateCall(em, condition, next))) return undefined;
    const changed = Object.assign(new CallEntity(), call, next);
    if (inTransaction) pipeline(em, inTransaction(em));
    if (finished) await this.#close(em, changed);
    const now = this.clock.now();
    await this.publisher.publish(em, call.status, changed, { now, terminalId, participants });
    return changed;
  }

  /** Releases the participants of a finished call, deletes its signals, and records a missed call. */
  async #close(em: EntityManager, call: CallEntity): Promise<void> {
    pipeline(em, deleteParticipants(em, call));
    // Signals exist only for answered calls, and only with this provider.
    if (call.accepted_at !== null && this.config.media.provider === 'webrtc')
      pipeline(em, deleteSignalsOf(em, call.id));
    if (isMissed(call)) await listMissed(em, call);
  }
}

const isEmpty = (changes: Changes): boolean => Object.keys(changes).length === 0;

/** Whether an unfinished call is past its deadline. */
export const isOverdue = (
  { deadline_at, status }: Pick<CallEntity, 'deadline_at' | 'status'>,
  now: Date,
): boolean => deadline_at !== null && deadline_at <= now && !isFinished(status);

export function callActorOf(call: Pick<CallEntity, 'caller_id' | 'callee_id'>, userId: UserId): CallActor {
  if (userId === call.caller_id) return 'caller';
  return userId === call.callee_id ? 'callee' : 'stranger';
}
