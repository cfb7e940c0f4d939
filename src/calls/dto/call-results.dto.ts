import { Moment } from '../../openapi/response-fields';
import type { CallStatus } from '../call-state';
import type { CallEntity } from '../entities/call.entity';
import type { MediaToken } from '../media/media-provider';

/** What accepting a call answers (specification 2.3). */
export class AcceptedCallResponse {
  call_id!: number;
  /** Always `accepted`. */
  status!: 'accepted';
  channel_name!: string;
  app_id!: string;
  callee_uid!: string;
  rtc_token!: string;
  @Moment()
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

/** What rejecting, cancelling and hanging up answer (specification 2.2). */
export class CallStatusResponse {
  call_id!: number;
  /**
   * How far the call has come; `rejected`, `cancelled` and `ended` are ends.
   * @example "ended"
   */
  status!: CallStatus;
  end_reason!: string;
  version!: number;
}

export function toCallStatusResponse({ id, status, end_reason, version }: CallEntity): CallStatusResponse {
  return { call_id: id, status, end_reason: end_reason ?? '', version };
}

/** What a media report answers (specification 2.3a). */
export class MediaStateResponse {
  call_id!: number;
  /**
   * How far the call has come; `rejected`, `cancelled` and `ended` are ends.
   * @example "ongoing"
   */
  status!: CallStatus;
  @Moment()
  started_at!: string | null;
  version!: number;
}

export function toMediaStateResponse({ id, status, started_at, version }: CallEntity): MediaStateResponse {
  return { call_id: id, status, started_at: started_at?.toISOString() ?? null, version };
}

/** A fresh token for the channel of a call, under the asker's unchanged uid. */
export class RenewedTokenResponse {
  call_id!: number;
  channel_name!: string;
  app_id!: string;
  /**
   * The asker's id in the media channel.
   * @example "1182341273"
   */
  uid!: string;
  rtc_token!: string;
  @Moment()
  expire_at!: string | null;
}
