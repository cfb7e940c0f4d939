import { Inject, Injectable } from '@nestjs/common';
import type { Asker } from '../../common/auth/principal';
import { Clock, plusSeconds } from '../../common/clock';
import type { CallId, UserId } from '../../common/ids';
import { CONFIG, type Config } from '../../config/config';
import { CallCreation } from './call-creation';
import { isFinished } from '../rules/call-state.rules';
import { callActorOf, CallTransitions } from './call-transitions';
import type {
  CancelCallRequest,
  HangUpCallRequest,
  RejectCallRequest,
  TerminalRequest,
} from '../dto/act-on-call.dto';
import type { AcceptedCallResponse, CallStatusResponse, RenewedTokenResponse } from '../dto/call-results.dto';
import type { CreateCallRequest, CreatedCallResponse } from '../dto/create-call.dto';
import type { CallEntity } from '../entities/call.entity';
import { MediaProvider } from '../media/media-provider';
import { GRACE_SECONDS } from '../media/liveness';
import { startGraceOfLost } from '../store/call-leases.store';

/** Actions of users on calls (API 5.1). Every method throws the errors of API 5.5. */
@Injectable()
export class CallsService {
  constructor(
    private readonly creation: CallCreation,
    private readonly transitions: CallTransitions,
    private readonly media: MediaProvider,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Places a call. The response contains the token with which the caller joins the media channel immediately. */
  async create(asker: Asker, request: CreateCallRequest): Promise<CreatedCallResponse> {
    const call = await this.creation.create(asker, request, this.clock.now());
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

  /** The first terminal of the callee wins. If it repeats the request, it gets the same response with a new token. */
  async accept(
    userId: UserId,
    callId: CallId,
    { terminal_id: terminalId }: TerminalRequest,
  ): Promise<AcceptedCallResponse> {
    const accept = { event: 'accept', terminalId } as const;
    const { media, calls } = this.config;
    const call = await this.transitions.transition(userId, callId, accept, (_call, now) => {
      const deadline_at = plusSeconds(now, calls.maxDurationSeconds);
      const columns = { answered_terminal_id: terminalId, accepted_at: now, deadline_at };
      // With this provider, nothing reports that a connection is lost.
      if (media.provider === 'webrtc') return { columns };
      const graceEnd = plusSeconds(now, Math.min(GRACE_SECONDS, calls.maxDurationSeconds));
      return { columns, inTransaction: (em) => startGraceOfLost(em, callId, graceEnd) };
    });
    const { token, expireAt } = await this.media.issueToken(call.channel_name, call.callee_uid);
    return {
      call_id: call.id,
      status: 'accepted',
      channel_name: call.channel_name,
      app_id: this.media.appId,
      callee_uid: String(call.callee_uid),
      rtc_token: token,
      expire_at: expireAt.toISOString(),
      version: call.version,
    };
  }

  async reject(userId: UserId, callId: CallId, body: RejectCallRequest): Promise<CallStatusResponse> {
    return this.#end(userId, callId, 'reject', body);
  }

  async cancel(userId: UserId, callId: CallId, body: CancelCallRequest): Promise<CallStatusResponse> {
    return this.#end(userId, callId, 'cancel', body);
  }

  async hangUp(userId: UserId, callId: CallId, body: HangUpCallRequest): Promise<CallStatusResponse> {
    return this.#end(userId, callId, 'hangup', body);
  }

  /** Issues a new media token for the same uid. */
  async renewToken(userId: UserId, callId: CallId): Promise<RenewedTokenResponse> {
    const call = await this.transitions.transition(userId, callId, { event: 'renew' });
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
    userId: UserId,
    callId: CallId,
    event: 'reject' | 'cancel' | 'hangup',
    { terminal_id: terminalId, reason }: RejectCallRequest,
  ): Promise<CallStatusResponse> {
    const call = await this.transitions.transition(userId, callId, { event, terminalId }, (_call, now) => ({
      columns: {
        end_reason: reason,
        ended_by: userId,
        ended_at: now,
        ...(event === 'reject' && { answered_terminal_id: terminalId }),
      },
    }));
    return {
      call_id: call.id,
      status: call.status,
      end_reason: call.end_reason ?? '',
      version: call.version,
    };
  }
}

const uidOf = (call: CallEntity, userId: UserId): number =>
  callActorOf(call, userId) === 'caller' ? call.caller_uid : call.callee_uid;
