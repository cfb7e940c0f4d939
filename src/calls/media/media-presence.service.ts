import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import type { CallId, UserId } from '../../common/ids';
import { CONFIG, type Config } from '../../config/config';
import { updateRows } from '../../database/rows';
import { Transactions } from '../../database/transactions';
import { type CallEvent, decide } from '../call-state';
import { actorOf, CallTransitions } from '../call-transitions';
import { CallEntity } from '../entities/call.entity';
import { CallMediaPresenceEntity } from '../entities/call-media-presence.entity';
import { MediaWebhookEventEntity } from '../entities/media-webhook-event.entity';
import {
  type LeaseHolder,
  type LeaseState,
  lockForLeases,
  writeDeadlines,
  writeLeases,
} from '../store/call-leases';
import { isLeaseLow, LEASE_SECONDS } from './lease';
import type { MediaWebhookEvent } from './media-webhook-event';

/** How long somebody whose connection broke may take to come back (contract 3.5). */
export const GRACE_SECONDS = 30;
const POSITION_DIGITS = 20;

const EVENTS: Record<MediaWebhookEvent['kind'], CallEvent> = {
  joined: 'join',
  left: 'leave',
  lost: 'lose',
  closed: 'leave',
};

/** Lets calls follow what the media provider sees: who has joined, and who has gone (contract 3.5). */
@Injectable()
export class MediaPresenceService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @InjectRepository(CallEntity) private readonly calls: Repository<CallEntity>,
    private readonly transitions: CallTransitions,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Lets the call follow what has happened, once. What is repeated, late, or of an unknown channel changes nothing. */
  async apply(event: MediaWebhookEvent): Promise<void> {
    const known = await this.calls.findOne({ select: { id: true }, where: { channel_name: event.channel } });
    if (known === null) return;
    await this.transitions.expireIfDue(known.id);
    await this.transactions.run((em) => this.#applyOnce(em, known.id, event), { retryWhenTaken: true });
  }

  /** When a call that was answered then ends, however well it goes. */
  latestEnd(acceptedAt: Date): Date {
    return plusSeconds(acceptedAt, this.config.calls.maxDurationSeconds);
  }

  /** Gives a caller whose connection was broken when the call was answered the same time to come back. */
  async callWasAnswered(em: EntityManager, callId: CallId): Promise<void> {
    const grace_until = plusSeconds(this.clock.now(), GRACE_SECONDS);
    const lost = { call_id: callId, state: 'lost' } as const;
    const count = await updateRows(em, CallMediaPresenceEntity, lost, { grace_until });
    if (count > 0) await this.#findDeadline(em, callId);
  }

  /**
   * A terminal has sent a signal: from now on it must be heard of. No provider tells when one is gone whose calls this
   * service connects itself, so its lease is a time to come back that a report or another signal prolongs (contract 17).
   */
  async beginLease(em: EntityManager, userId: UserId, callId: CallId): Promise<void> {
    await this.#lease(em, [{ userId, callId }], { begins: true });
  }

  /** Terminals that are in their calls have been heard of. Who is on no lease needs none: such a call ends as ever. */
  async renewLeases(em: EntityManager, holders: readonly LeaseHolder[]): Promise<void> {
    // Elsewhere the provider tells who is there; a report must not begin a lease that nobody renews.
    if (this.config.media.provider === 'webrtc') await this.#lease(em, holders, { begins: false });
  }

  async #lease(
    em: EntityManager,
    holders: readonly LeaseHolder[],
    { begins }: { begins: boolean },
  ): Promise<void> {
    if (holders.length === 0) return;
    const states = await lockForLeases(em, [...new Set(holders.map(({ callId }) => callId))]);
    const now = this.clock.now();
    const due = holders.filter(({ userId, callId }) => {
      const state = states.get(callId);
      if (!state?.acceptedAt || state.deadlineAt === null) return false;
      const until = state.graces.get(userId) ?? null;
      return (until !== null || begins) && isLeaseLow(until, now);
    });
    if (due.length === 0) return;
    const until = plusSeconds(now, LEASE_SECONDS);
    await writeLeases(em, due, until);
    for (const { userId, callId } of due) states.get(callId)?.graces.set(userId, until);
    const callIds = new Set(due.map(({ callId }) => callId));
    await this.#moveDeadlines(em, new Map([...states].filter(([id]) => callIds.has(id))));
  }

  async #applyOnce(em: EntityManager, callId: CallId, event: MediaWebhookEvent): Promise<void> {
    if (await em.existsBy(MediaWebhookEventEntity, { id: event.id })) return;
    await em.insert(MediaWebhookEventEntity, { id: event.id, received_at: this.clock.now() });
    // Locks the call: what happens to its participants takes effect one after the other.
    await em.update(CallEntity, { id: callId }, { deadline_at: () => 'deadline_at' });
    const call = await em.findOneByOrFail(CallEntity, { id: callId });
    const userId = participantOf(call, event);
    if (userId === undefined) return;
    const outcome = decide(call.status, EVENTS[event.kind], actorOf(call, userId));
    const isNewest =
      event.kind === 'closed'
        ? await isNewestOf(em, callId, event)
        : await this.#recordPresence(em, userId, callId, event, outcome !== 'keep');
    if (!isNewest || outcome === 'keep' || 'refuse' in outcome) return;
    await this.transitions.move(em, call, this.#changes(call, event, outcome.move));
    if (event.kind === 'joined' || event.kind === 'lost') await this.#findDeadline(em, callId);
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

  /** Writes down what is now known of a participant; false when something later was known already. */
  async #recordPresence(
    em: EntityManager,
    userId: UserId,
    callId: CallId,
    event: MediaWebhookEvent,
    isAnswered: boolean,
  ): Promise<boolean> {
    const key = { call_id: callId, user_id: userId };
    const known = await em.findOneBy(CallMediaPresenceEntity, key);
    const position = (event.position ?? known?.position ?? '').padStart(POSITION_DIGITS, '0');
    if (known !== null && event.position !== undefined) {
      if (position < known.position || (position === known.position && !event.isCoarse)) return false;
    }
    const mayComeBack = event.kind === 'lost' && isAnswered;
    const grace_until = mayComeBack
      ? (known?.grace_until ?? plusSeconds(this.clock.now(), GRACE_SECONDS))
      : null;
    const state = event.kind === 'closed' ? 'left' : event.kind;
    const returned =
      state === 'joined' && known !== null && (known.returned === true || known.state !== 'joined');
    const now = { state, position, happened_at: event.happenedAt ?? 0, returned, grace_until };
    if (known === null) await em.insert(CallMediaPresenceEntity, { ...key, ...now });
    else await em.update(CallMediaPresenceEntity, key, now);
    return true;
  }

  /** Looks who is waited for, and until when. */
  async #findDeadline(em: EntityManager, callId: CallId): Promise<void> {
    const states = await lockForLeases(em, [callId]);
    const state = states.get(callId);
    if (state?.acceptedAt && state.deadlineAt !== null) await this.#moveDeadlines(em, states);
  }

  /** An answered call ends at its greatest length, or when somebody who was lost has not come back. */
  async #moveDeadlines(em: EntityManager, states: ReadonlyMap<CallId, LeaseState>): Promise<void> {
    const deadlines = Array.from(states, ([id, { acceptedAt, graces }]) => {
      const ends = [...graces.values(), acceptedAt && this.latestEnd(acceptedAt)];
      return [id, new Date(Math.min(...ends.flatMap((end) => end?.getTime() ?? [])))] as const;
    });
    await writeDeadlines(em, new Map(deadlines));
  }
}

/** Whom an event is about. While a call rings, only its caller can be in the channel that is closed. */
function participantOf(call: CallEntity, { kind, uid }: MediaWebhookEvent): UserId | undefined {
  if (kind === 'closed' || uid === call.caller_uid) return call.caller_id;
  return uid === call.callee_uid ? call.callee_id : undefined;
}

/**
 * Whether nobody has joined since the channel was closed: a channel is made anew for the next who joins. Who returned in
 * the second in which it was closed did so afterwards: the last to go closes it.
 */
async function isNewestOf(
  em: EntityManager,
  callId: CallId,
  { happenedAt }: MediaWebhookEvent,
): Promise<boolean> {
  if (happenedAt === undefined) return true;
  const present = await em.findBy(CallMediaPresenceEntity, { call_id: callId, state: 'joined' });
  return !present.some(
    ({ happened_at, returned }) =>
      happened_at > happenedAt || (returned === true && happened_at === happenedAt),
  );
}
