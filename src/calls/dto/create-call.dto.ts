import { Moment } from '../../openapi/response-fields';
import { Id, OneOf, Text } from '../../common/input/fields';
import type { CallStatus } from '../call-state';
import { MEDIA_TYPES, type MediaType } from '../entities/call.entity';

export class CreateCallRequest {
  /** The user to call. */
  @Id()
  callee_id!: number;

  @OneOf(MEDIA_TYPES, { default: 'audio' })
  media_type!: MediaType;

  /** The terminal that places the call; that of the session when left out. */
  @Text({ max: 64, default: '' })
  terminal_id!: string;

  /** Idempotency id: the same one again by the same caller answers with the same call. */
  @Text({ max: 64, optional: true })
  request_id?: string;
}

/** A call as its caller needs it to join the media channel at once. */
export class CreatedCallResponse {
  call_id!: number;
  status!: CallStatus;
  media_type!: MediaType;
  channel_name!: string;
  /** Tells the provider: `webrtc`, Agora's app id, or the LiveKit server's URL. */
  app_id!: string;
  /** The caller's id in the media channel. */
  caller_uid!: string;
  /** Null when the call has already finished. */
  rtc_token!: string | null;
  /** When the token expires, ISO 8601. */
  @Moment()
  expire_at!: string | null;
  /** When the call ends by itself if nobody answers, ISO 8601. */
  @Moment()
  ring_expires_at!: string;
  version!: number;
}
