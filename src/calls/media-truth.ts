import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Clock, plusSeconds } from '../common/clock';
import { CONFIG, type Config } from '../config/config';
import { updateRows } from '../database/statements';
import { Transactions } from '../database/transactions';
import { type CallEvent, decide } from './call-state';
import { actorOf, CallTransitions } from './call-transitions';
import { CallEntity } from './entities/call.entity';
import { CallMediaPresenceEntity } from './entities/call-media-presence.entity';
import { MediaNoticeEntity } from './entities/media-notice.entity';
import type { MediaNotice } from './media/media-notice';

/** How long somebody whose connection broke may take to come back (contract 3.5). */
export const GRACE_SECONDS = 30;
const POSITION_DIGITS = 20;

const EVENTS: Record<MediaNotice['kind'], CallEvent> = {
  joined: 'join',
  left: 'leave',
  lost: 'lose',
  closed: 'leave',
};

/** Lets calls follow what the media provider sees: who has joined, and who has gone (contract 3.5). */
@Injectable()
export class MediaTruth {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @InjectRepository(CallEntity) private readonly calls: Repository<CallEntity>,
    private readonly transitions: CallTransitions,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Takes a notice to heart, once. One that is repeated, late, or of an unknown channel changes nothing. */
  async take(notice: MediaNotice): Promise<void> {
    const known = await this.calls.findOne({ select: { id: true }, where: { channel_name: notice.channel } });
    if (known === null) return;
    await this.transitions.find(known.id);
    await this.transactions.run((em) => this.#take(em, known.id, notice), { retryWhenTaken: true });
  }

  /** When a call that was answered then ends, however well it goes. */
  latestEnd(acceptedAt: Date): Date {
    return plusSeconds(acceptedAt, this.config.calls.maxDurationSeconds);
  }

  /** Gives a caller whose connection was broken when the call was answered the same time to come back. */
  async callWasAnswered(em: EntityManager, callId: number): Promise<void> {
    const grace_until = plusSeconds(this.clock.now(), GRACE_SECONDS);
    const lost = { call_id: callId, state: 'lost' } as const;
    const count = await updateRows(em, CallMediaPresenceEntity, lost, { grace_until });
    if (count > 0) await this.#setDeadline(em, callId);
  }

  async #take(em: EntityManager, callId: number, notice: MediaNotice): Promise<void> {
    if (await em.existsBy(MediaNoticeEntity, { id: notice.id })) return;
    await em.insert(MediaNoticeEntity, { id: notice.id, received_at: this.clock.now() });
    // Locks the call: the notices of its participants take effect one after the other.
    await em.update(CallEntity, { id: callId }, { deadline_at: () => 'deadline_at' });
    const call = await em.findOneByOrFail(CallEntity, { id: callId });
    const userId = participantOf(call, notice);
    if (userId === undefined) return;
    const outcome = decide(call.status, EVENTS[notice.kind], actorOf(call, userId));
    const isNews =
      notice.kind === 'closed'
        ? await isLastWord(em, callId, notice)
        : await this.#note(em, callId, userId, notice, outcome !== 'keep');
    if (!isNews || outcome === 'keep' || 'refuse' in outcome) return;
    await this.transitions.move(em, call, this.#changes(call, notice, outcome.move));
    if (notice.kind === 'joined' || notice.kind === 'lost') await this.#setDeadline(em, callId);
  }

  #changes(
    call: CallEntity,
    { kind }: MediaNotice,
    status: CallEntity['status'],
  ): Parameters<CallTransitions['move']>[2] {
    const now = this.clock.now();
    const moved = status === call.status ? {} : { status };
    if (kind === 'lost') return moved;
    if (kind === 'joined') return { ...moved, ...(call.started_at === null ? { started_at: now } : {}) };
    return { ...moved, end_reason: 'connection_lost', ended_by: null, ended_at: now };
  }

  /** Writes down what is now known of a participant; false when something later was known already. */
  async #note(
    em: EntityManager,
    call_id: number,
    user_id: number,
    notice: MediaNotice,
    isAnswered: boolean,
  ): Promise<boolean> {
    const known = await em.findOneBy(CallMediaPresenceEntity, { call_id, user_id });
    const position = (notice.position ?? known?.position ?? '').padStart(POSITION_DIGITS, '0');
    if (known !== null && notice.position !== undefined) {
      if (position < known.position || (position === known.position && !notice.isCoarse)) return false;
    }
    const mayComeBack = notice.kind === 'lost' && isAnswered;
    const grace_until = mayComeBack
      ? (known?.grace_until ?? plusSeconds(this.clock.now(), GRACE_SECONDS))
      : null;
    const state = notice.kind === 'closed' ? 'left' : notice.kind;
    const now = { state, position, happened_at: notice.happenedAt ?? 0, grace_until };
    if (known === null) await em.insert(CallMediaPresenceEntity, { call_id, user_id, ...now });
    else await em.update(CallMediaPresenceEntity, { call_id, user_id }, now);
    return true;
  }

  /** An answered call ends at its greatest length, or when somebody who was lost has not come back. */
  async #setDeadline(em: EntityManager, callId: number): Promise<void> {
    const { accepted_at, deadline_at } = await em.findOneByOrFail(CallEntity, { id: callId });
    if (accepted_at === null || deadline_at === null) return;
    const present = await em.findBy(CallMediaPresenceEntity, { call_id: callId });
    const ends = [this.latestEnd(accepted_at), ...present.flatMap(({ grace_until }) => grace_until ?? [])];
    const earliest = new Date(Math.min(...ends.map((end) => end.getTime())));
    await em.update(CallEntity, { id: callId }, { deadline_at: earliest });
  }
}

/** Whom a notice is about. While a call rings, only its caller can be in the channel that is closed. */
function participantOf(call: CallEntity, { kind, uid }: MediaNotice): number | undefined {
  if (kind === 'closed' || uid === call.caller_uid) return call.caller_id;
  return uid === call.callee_uid ? call.callee_id : undefined;
}

/** Whether nobody has joined since the channel was closed: a channel is made anew for the next who joins. */
async function isLastWord(em: EntityManager, call_id: number, { happenedAt }: MediaNotice): Promise<boolean> {
  const present = await em.findBy(CallMediaPresenceEntity, { call_id });
  return !present.some(
    ({ state, happened_at }) => state === 'joined' && happenedAt !== undefined && happened_at > happenedAt,
  );
}
