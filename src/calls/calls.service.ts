import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { CallCreation } from './call-creation';
import { isFinished } from './call-state';
import { actorOf, CallTransitions } from './call-transitions';
import type {
  CancelCallDto,
  HangUpCallDto,
  MediaStateDto,
  RejectCallDto,
  TerminalDto,
} from './dto/act-on-call.dto';
import {
  type AcceptedCall,
  type CallStatusResult,
  type MediaStateResult,
  type RenewedToken,
  toAcceptedCall,
  toCallStatusResult,
  toMediaStateResult,
} from './dto/call-results.dto';
import type { CreateCallDto, CreatedCall } from './dto/create-call.dto';
import type { CallEntity } from './entities/call.entity';
import { CallMediaStateEntity } from './entities/call-media-state.entity';
import { MediaTruth } from './media-truth';
import { MediaProvider } from './media/media-provider';

const JOINED = 'joined';

/** What users do with calls (specification 4.1–4.5, contract 3.1). Every method throws the errors of contract 3.2. */
@Injectable()
export class CallsService {
  constructor(
    private readonly creation: CallCreation,
    private readonly transitions: CallTransitions,
    private readonly media: MediaProvider,
    private readonly truth: MediaTruth,
    private readonly clock: Clock,
  ) {}

  /** Places a call and hands the caller what it needs to wait in the media channel. */
  async create(userId: number, request: CreateCallDto): Promise<CreatedCall> {
    const call = await this.creation.create(userId, request, this.clock.now());
    const token = isFinished(call.status)
      ? null
      : await this.media.issueToken(call.channel_name, call.caller_uid);
    return {
      call_id: call.id,
      status: call.status,
      media_type: call.media_type,
      channel_name: call.channel_name,
      app_id: this.media.appId,
      caller_uid: String(call.caller_uid),
      rtc_token: token?.token ?? null,
      expire_at: token?.expireAt.toISOString() ?? null,
      ring_expires_at: call.ring_expires_at.toISOString(),
      version: call.version,
    };
  }

  /** The first terminal of the callee wins; asking again, it gets the same answer with a fresh token. */
  async accept(
    userId: number,
    callId: number,
    { terminal_id: terminalId }: TerminalDto,
  ): Promise<AcceptedCall> {
    const call = await this.transitions.act(callId, {
      event: 'accept',
      userId,
      terminalId,
      changes: (_call, now) => ({
        answered_terminal_id: terminalId,
        accepted_at: now,
        deadline_at: this.truth.latestEnd(now),
      }),
      alongside: (em) => this.truth.callWasAnswered(em, callId),
    });
    return toAcceptedCall(
      call,
      this.media.appId,
      await this.media.issueToken(call.channel_name, call.callee_uid),
    );
  }

  async reject(userId: number, callId: number, body: RejectCallDto): Promise<CallStatusResult> {
    return this.#end('reject', userId, callId, body);
  }

  async cancel(userId: number, callId: number, body: CancelCallDto): Promise<CallStatusResult> {
    return this.#end('cancel', userId, callId, body);
  }

  async hangUp(userId: number, callId: number, body: HangUpCallDto): Promise<CallStatusResult> {
    return this.#end('hangup', userId, callId, body);
  }

  /** Keeps a terminal's media report; the first `joined` starts the call's clock. */
  async reportMedia(userId: number, callId: number, report: MediaStateDto): Promise<MediaStateResult> {
    const joined = report.stage === JOINED;
    const call = await this.transitions.act(callId, {
      event: joined ? 'join' : 'report',
      userId,
      changes: ({ started_at }, now) => (joined && started_at === null ? { started_at: now } : {}),
      alongside: async (em) => {
        // What a report does not mention stays as it was last reported.
        const sent = Object.fromEntries(Object.entries(report).filter(([, value]) => value !== undefined));
        const row = { ...sent, call_id: callId, user_id: userId, terminal_id: report.terminal_id };
        await em.upsert(CallMediaStateEntity, { ...row, reported_at: this.clock.now() }, [
          'call_id',
          'user_id',
          'terminal_id',
        ]);
      },
    });
    return toMediaStateResult(call);
  }

  /** A fresh media token for the same uid. */
  async renewToken(userId: number, callId: number): Promise<RenewedToken> {
    const call = await this.transitions.act(callId, { event: 'renew', userId, changes: () => ({}) });
    const uid = uidOf(call, userId);
    const { token, expireAt } = await this.media.issueToken(call.channel_name, uid);
    return {
      call_id: call.id,
      channel_name: call.channel_name,
      app_id: this.media.appId,
      uid: String(uid),
      rtc_token: token,
      expire_at: expireAt.toISOString(),
    };
  }

  async #end(
    event: 'reject' | 'cancel' | 'hangup',
    userId: number,
    callId: number,
    { terminal_id: terminalId, reason }: RejectCallDto,
  ) {
    const call = await this.transitions.act(callId, {
      event,
      userId,
      terminalId,
      changes: (_call, now) => ({ end_reason: reason, ended_by: userId, ended_at: now }),
    });
    return toCallStatusResult(call);
  }
}

const uidOf = (call: CallEntity, userId: number): number =>
  actorOf(call, userId) === 'caller' ? call.caller_uid : call.callee_uid;
