import { TimestampField } from '../../openapi/response-fields';
import { Id, OneOf, Text } from '../../common/input/fields';
import type { CallStatus } from '../rules/call-state.rules';
import { MEDIA_TYPES, type MediaType } from '../entities/call.entity';

export class CreateCallRequest {
  @Id()
  callee_id!: number;

  /** Audio only, or audio and video. Both terminals receive the value. */
  @OneOf(MEDIA_TYPES, { default: 'audio' })
  media_type!: MediaType;

  @Text({ max: 64, default: '' })
  terminal_id!: string;

  /** Idempotency key, at most 64 characters: a repeated key of the same caller returns the same call. */
  @Text({ max: 64, optional: true })
  request_id?: string;
}

/** A created call, with the caller's token for the media channel. */
export class CreatedCallResponse {
  call_id!: number;
  /** Status of the call; `rejected`, `cancelled` and `ended` are final. */
  status!: CallStatus;
  media_type!: MediaType;
  channel_name!: string;
  app_id!: string;
  caller_uid!: string;
  /** The caller's token for joining the media channel immediately; null if the call has already finished. */
  rtc_token!: string | null;
  @TimestampField()
  expire_at!: string | null;
  @TimestampField()
  ring_expires_at!: string;
  version!: number;
}
