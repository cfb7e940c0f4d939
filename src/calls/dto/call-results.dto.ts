import { TimestampField } from '../../openapi/response-fields';
import type { CallStatus } from '../rules/call-state.rules';

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
