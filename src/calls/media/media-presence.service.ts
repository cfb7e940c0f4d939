import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import type { CallId, UserId } from '../../common/ids';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { type CallEvent, decide } from '../rules/call-state.rules';
import { callActorOf, CallTransitions } from '../services/call-transitions';
import type { CallEntity } from '../entities/call.entity';
import {
  type LeaseHolder,
  type LeaseState,
  lockForLeases,
  writeDeadlines,
  writeLeases,
} from '../store/call-leases.store';
import { callIdOfChannel, lockCall } from '../store/calls.store';
import {
  insertPresence,
  joinedParticipants,
  mediaPresenceOf,
  recordEvent,
  updatePresence,
} from '../store/media-presence.store';
import { GRACE_SECONDS, isRenewalDue, leaseFrom } from './liveness';
import type { MediaWebhookEvent } from './media-webhook-event';

const POSITION_DIGITS = 20;

const EVENTS: Record<MediaWebhookEvent['kind'], CallEvent> = {
  joined: 'join',
  left: 'leave',
  lost: 'lose',
  closed: 'leave',
};

/** Applies to calls what the media provider reports about participants: joined, left, or lost (API 6.3). */
@Injectable()
export class MediaPresenceService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly transitions: CallTransitions,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Applies an event once. Repeated and late events, and events of unknown channels, change nothing. */
  async apply(event: MediaWebhookEvent): Promise<void> {
    const callId = await callIdOfChannel(this.transactions.read(), event.channel);
    if (callId === undefined) return;
    await this.transitions.expireIfDue(callId);
    await this.transactions.run((em) => this.#applyOnce(em, callId, event), { retryOnDuplicateKey: true });
  }

  /**
   * Starts or renews the leases of terminals that have sent a signal, and renews those of terminals that have sent a
   * report. With the webrtc provider nothing reports that a terminal is gone, so the call ends unless another signal or
   * report renews the lease (API 6.7).
   * @param canStart whether a terminal without a lease gets one, which a signal starts and a report does not
   */
  async renewLeases(
    em: EntityManager,
    holders: readonly LeaseHolder[],
    { canStart }: { canStart: boolean },
  ): Promise<void> {
    // Other providers report presence themselves. There `grace_until` is a grace period, which a report must not turn
    // into a lease that nothing renews.
    if (this.config.media.provider !== 'webrtc' || holders.length === 0) return;
    const states = await lockForLeases(em, [...new Set(holders.map(({ callId }) => callId))]);
    const now = this.clock.now();
    const due = holders.filter(({ userId, callId }) => {
      const state = states.get(callId);
      if (!state?.acceptedAt || state.deadlineAt === null) return false;
      const until = state.graceDeadlines.get(userId) ?? null;
      return (until !== null || canStart) && isRenewalDue(until, now);
    });
    if (due.length === 0) return;
    const until = leaseFrom(now);
    await writeLeases(em, due, until);
    for (const { userId, callId } of due) states.get(callId)?.graceDeadlines.set(userId, until);
    const callIds = new Set(due.map(({ callId }) => callId));
    await this.#updateDeadlines(em, new Map([...states].filter(([id]) => callIds.has(id))));
  }

  async #applyOnce(em: EntityManager, callId: CallId, event: MediaWebhookEvent): Promise<void> {
    if (!(await recordEvent(em, event.id, this.clock.now()))) return;
    // Locked, so that events of its participants are applied one after the other.
    const call = await lockCall(em, callId);
    const userId = participantOf(call, event);
    if (userId === undefined) return;
    const outcome = decide(call.status, EVENTS[event.kind], callActorOf(call, userId));
    const isNewest =
      event.kind === 'closed'
        ? await isStillClosed(em, callId, event)
        : await this.#recordPresence(em, userId, callId, event, outcome !== 'keep');
    if (!isNewest || outcome === 'keep' || 'refuse' in outcome) return;
    await this.transitions.move(em, call, this.#changes(call, event, outcome.move));
    if (event.kind === 'joined' || event.kind === 'lost') await this.#updateDeadline(em, callId);
  }

  #changes(
    call: CallEntity,
    { kind }: MediaWebhookEvent,
    status: CallEntity['status'],
  ): Parameters<CallTransitions['move']>[2] {
    const now = this.clock.now();
    const moved = status === call.status ? {} : { status };
    if (kind === 'lost') return moved;
    if (kind === 'joined') return { ...moved, ...(call.started_at === null ? { started_at: now } : {}) };
    return { ...moved, end_reason: 'connection_lost', ended_by: null, ended_at: now };
  }

  /** Stores the state of a participant. @returns false if a later event is stored already */
  async #recordPresence(
    em: EntityManager,
    userId: UserId,
    callId: CallId,
    event: MediaWebhookEvent,
    isAnswered: boolean,
  ): Promise<boolean> {
    const key = { call_id: callId, user_id: userId };
    const stored = await mediaPresenceOf(em, key);
    const position = (event.position ?? stored?.position ?? '').padStart(POSITION_DIGITS, '0');
    if (stored !== undefined && event.position !== undefined) {
      if (position < stored.position || (position === stored.position && !event.isCoarse)) return false;
    }
    const mayComeBack = event.kind === 'lost' && isAnswered;
    const grace_until = mayComeBack
      ? (stored?.grace_until ?? plusSeconds(this.clock.now(), GRACE_SECONDS))
      : null;
    const state = event.kind === 'closed' ? 'left' : event.kind;
    const returned =
      state === 'joined' && stored !== undefined && (stored.returned === true || stored.state !== 'joined');
    const columns = { state, position, happened_at: event.happenedAt ?? 0, returned, grace_until };
    if (stored === undefined) await insertPresence(em, key, columns);
    else await updatePresence(em, key, columns);
    return true;
  }

  /** Recomputes the deadline of an answered, unfinished call. */
  async #updateDeadline(em: EntityManager, callId: CallId): Promise<void> {
    const states = await lockForLeases(em, [callId]);
    const state = states.get(callId);
    if (state?.acceptedAt && state.deadlineAt !== null) await this.#updateDeadlines(em, states);
  }

  /** Sets the deadlines of answered calls: the maximum duration, or an earlier end of a grace period or lease. */
  async #updateDeadlines(em: EntityManager, states: ReadonlyMap<CallId, LeaseState>): Promise<void> {
    const { maxDurationSeconds } = this.config.calls;
    const deadlines = Array.from(states, ([id, { acceptedAt, graceDeadlines }]) => {
      const ends = [...graceDeadlines.values(), acceptedAt && plusSeconds(acceptedAt, maxDurationSeconds)];
      return [id, new Date(Math.min(...ends.flatMap((end) => end?.getTime() ?? [])))] as const;
    });
    await writeDeadlines(em, new Map(deadlines));
  }
}

/** Returns the participant that an event concerns; for `closed` the caller, who is alone there while the call rings. */
function participantOf(call: CallEntity, { kind, uid }: MediaWebhookEvent): UserId | undefined {
  if (kind === 'closed' || uid === call.caller_uid) return call.caller_id;
  return uid === call.callee_uid ? call.callee_id : undefined;
}

/**
 * Whether no participant has joined since the channel was closed. A closed channel is created again for the next one to
 * join. A participant that returned in the second of the closing did so afterwards, because the last to leave closes
 * it.
 */
async function isStillClosed(
  em: EntityManager,
  callId: CallId,
  { happenedAt }: MediaWebhookEvent,
): Promise<boolean> {
  if (happenedAt === undefined) return true;
  const present = await joinedParticipants(em, callId);
  return !present.some(
    ({ happened_at, returned }) =>
      happened_at > happenedAt || (returned === true && happened_at === happenedAt),
  );
}
