import { TimestampField } from '../../openapi/response-fields';
import type { CallStatus } from '../rules/call-state.rules';
import type { CallEntity } from '../entities/call.entity';
import type { MediaToken } from '../media/media-provider';

/** Response of accept (API 5.4). */
export class AcceptedCallResponse {
  call_id!: number;
  /** Always `accepted`. */
  status!: 'accepted';
  channel_name!: string;
  app_id!: string;
  callee_uid!: string;
  rtc_token!: string;
  @TimestampField()
  expire_at!: string | null;
  version!: number;
}

export function toAcceptedCallResponse(
  call: CallEntity,
  appId: string,
  { token, expireAt }: MediaToken,
): AcceptedCallResponse {
  return {
    call_id: call.id,
    status: 'accepted',
    channel_name: call.channel_name,
    app_id: appId,
    callee_uid: String(call.callee_uid),
    rtc_token: token,
    expire_at: expireAt.toISOString(),
    version: call.version,
  };
}

/** Response of reject, cancel and hangup (API 5.4). */
export class CallStatusResponse {
  call_id!: number;
  /**
   * Status of the call; `rejected`, `cancelled` and `ended` are final.
   * @example "ended"
   */
  status!: CallStatus;
  end_reason!: string;
  version!: number;
}

export function toCallStatusResponse({ id, status, end_reason, version }: CallEntity): CallStatusResponse {
  return { call_id: id, status, end_reason: end_reason ?? '', version };
}

/** Response of a media report (API 5.4). */
export class MediaStateResponse {
  call_id!: number;
  /**
   * Status of the call; `rejected`, `cancelled` and `ended` are final.
   * @example "ongoing"
   */
  status!: CallStatus;
  @TimestampField()
  started_at!: string | null;
  version!: number;
}

export function toMediaStateResponse({ id, status, started_at, version }: CallEntity): MediaStateResponse {
  return { call_id: id, status, started_at: started_at?.toISOString() ?? null, version };
}

/** A new token for the channel of a call, for the current user's unchanged uid. */
export class RenewedTokenResponse {
  call_id!: number;
  channel_name!: string;
  app_id!: string;
  /**
   * The current user's id in the media channel.
   * @example "1182341273"
   */
  uid!: string;
  rtc_token!: string;
  @TimestampField()
  expire_at!: string | null;
}
