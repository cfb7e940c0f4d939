import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, LessThanOrEqual, type Repository } from 'typeorm';
import { Clock } from '../common/clock';
import type { CallId, UserId } from '../common/ids';
import { BusinessError } from '../common/errors/business-error';
import { batch } from '../common/concurrency/batch';
import { CONFIG, type Config } from '../config/config';
import { deleteRows, findRows, updateRows } from '../database/rows';
import { Transactions } from '../database/transactions';
import type { User } from '../identity/users.service';
import { CallAnnouncements } from './call-announcements';
import { listMissed } from './store/call-lists';
import { type CallActor, type CallEvent, decide, isFinished, terminalOf } from './call-state';
import { isMissed } from './dto/call-record.dto';
import { CallEntity } from './entities/call.entity';
import { CallHistoryEntity } from './entities/call-history.entity';
import { CallMediaPresenceEntity } from './entities/call-media-presence.entity';
import { CallSignalEntity } from './entities/call-signal.entity';
import { ActiveCallParticipantEntity } from './entities/active-call-participant.entity';

type Changes = Partial<Omit<CallEntity, 'id' | 'version'>>;

export interface Act {
  event: CallEvent;
  terminalId?: string;
  /** The columns that a move sets besides the status. */
  changes: (call: CallEntity, now: Date) => Changes;
  /** More rows to write in the transaction of the move, for the call as it is then. */
  alongside?: (em: EntityManager, call: CallEntity) => Promise<void>;
}

interface MoveOptions extends Pick<Act, 'terminalId' | 'alongside'> {
  /** What must hold besides the version. */
  onlyIf?: Changes;
  /** The participants, where they have been looked up already. */
  known?: Map<number, User>;
}

/**
 * Moves calls through their states. A transition is one UPDATE on condition that the version is still the one the
 * decision was made on; whoever loses that race decides again on what the winner left (contract 3.2).
 */
@Injectable()
export class CallTransitions {
  /** Calls that acts of one moment ask for, with one statement. */
  readonly #found = batch<CallEntity | undefined>(async (ids) => {
    const calls = await findRows(this.calls.manager, CallEntity, { id: ids as CallId[] });
    return new Map(calls.map((call) => [call.id, call]));
  }, undefined);

  constructor(
    @InjectRepository(CallEntity) private readonly calls: Repository<CallEntity>,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly announcements: CallAnnouncements,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The call after an act of a user.
   * @throws {BusinessError} CALL_NOT_FOUND, or what the table of states answers to this user in this state
   */
  async act(
    userId: UserId,
    callId: CallId,
    { event, terminalId = '', changes, alongside }: Act,
  ): Promise<CallEntity> {
    for (;;) {
      const call = await this.expireIfDue(callId);
      const isOwnTerminal = terminalOf(call, userId) === terminalId;
      const outcome = decide(call.status, event, actorOf(call, userId), isOwnTerminal);
      if (outcome === 'keep') return call;
      if ('refuse' in outcome) throw new BusinessError(outcome.refuse);
      const changed = changes(call, this.clock.now());
      if (outcome.move !== call.status) changed.status = outcome.move;
      if (isEmpty(changed)) return call;
      const known = await this.announcements.participantsOf(call);
      const after = await this.transactions.run((em) =>
        this.move(em, call, changed, { terminalId, alongside, known }),
      );
      if (after) return after;
    }
  }

  /** The call as it is stored, with nothing done about its deadline. @throws {BusinessError} CALL_NOT_FOUND */
  async current(callId: CallId): Promise<CallEntity> {
    const call = await this.#found.load(callId);
    if (call === undefined) throw new BusinessError('CALL_NOT_FOUND');
    return call;
  }

  /**
   * Ends the call if its deadline has passed, so that a late sweep never lets a dead call live on (contract 3.4).
   * Whoever looks at a call, or acts on it, does this first.
   * @returns the call as it is then
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

  /** Ends what is overdue among the calls that these users are in, so that it stands in nobody's way. */
  async expireDueOf(userIds: UserId[]): Promise<void> {
    const taken = await findRows(this.calls.manager, ActiveCallParticipantEntity, { user_id: userIds });
    for (const callId of new Set(taken.map(({ call_id }) => call_id))) await this.expireIfDue(callId);
  }

  /**
   * Ends a call at its deadline: unanswered, left alone for too long, or at its greatest length.
   * @param call as it was read, its deadline in the past
   * @returns whether it was ended here, and not changed by somebody else before
   */
  async expire(call: CallEntity): Promise<boolean> {
    const outcome = decide(call.status, 'expire', 'service');
    if (outcome === 'keep' || 'refuse' in outcome) return false;
    const { deadline_at } = call;
    const end_reason = call.status === 'ringing' ? 'no_answer' : await this.#lateEndOf(call);
    const changes = { status: outcome.move, end_reason, ended_by: null, ended_at: deadline_at };
    // The deadline too: a participant that comes back moves it, and leaves the version alone.
    const after = await this.transactions.run((em) =>
      this.move(em, call, changes, { onlyIf: { deadline_at } }),
    );
    return after !== undefined;
  }

  async #lateEndOf({ id, deadline_at }: CallEntity): Promise<string> {
    const lost = { call_id: id, grace_until: LessThanOrEqual(deadline_at ?? new Date(0)) };
    const isLost = await this.calls.manager.existsBy(CallMediaPresenceEntity, lost);
    return isLost ? 'connection_lost' : 'max_duration';
  }

  /**
   * The call after its changes, with all that follows from them, inside a transaction; undefined when somebody else
   * changed it first. No changes leave its version.
   */
  async move(
    em: EntityManager,
    call: CallEntity,
    changes: Changes,
    { terminalId, alongside, onlyIf, known }: MoveOptions = {},
  ): Promise<CallEntity | undefined> {
    if (isEmpty(changes)) return call;
    const finished = changes.status !== undefined && isFinished(changes.status);
    const next = { ...changes, ...(finished ? { deadline_at: null } : {}), version: call.version + 1 };
    const condition = { ...onlyIf, id: call.id, version: call.version };
    if ((await updateRows(em, CallEntity, condition, next)) === 0) return undefined;
    const changed = Object.assign(new CallEntity(), call, next);
    await alongside?.(em, changed);
    if (finished) await this.#close(em, changed);
    await this.announcements.announce(em, call.status, changed, { terminalId, known });
    return changed;
  }

  /** Frees the participants of a finished call, takes away what its terminals signalled, and marks one that was missed. */
  async #close(em: EntityManager, call: CallEntity): Promise<void> {
    const participants = { user_id: [call.caller_id, call.callee_id], call_id: call.id };
    await deleteRows(em, ActiveCallParticipantEntity, participants);
    // There are signals of answered calls only, and with this provider only.
    if (call.accepted_at !== null && this.config.media.provider === 'webrtc')
      await deleteRows(em, CallSignalEntity, { call_id: call.id });
    if (!isMissed(call)) return;
    const history = { user_id: call.callee_id, call_id: call.id };
    await updateRows(em, CallHistoryEntity, history, { missed: true });
    await listMissed(em, call);
  }
}

const isEmpty = (changes: Changes): boolean => Object.keys(changes).length === 0;

/** Whether its deadline has passed and it should have ended by then. */
export const isOverdue = (
  { deadline_at, status }: Pick<CallEntity, 'deadline_at' | 'status'>,
  now: Date,
): boolean => deadline_at !== null && deadline_at <= now && !isFinished(status);

export function actorOf(call: Pick<CallEntity, 'caller_id' | 'callee_id'>, userId: UserId): CallActor {
  if (userId === call.caller_id) return 'caller';
  return userId === call.callee_id ? 'callee' : 'stranger';
}
