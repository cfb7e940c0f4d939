import { Moment } from '../../openapi/response-fields';
import { Id, OneOf, Text } from '../../common/input/fields';
import type { CallStatus } from '../call-state';
import { MEDIA_TYPES, type MediaType } from '../entities/call.entity';

export class CreateCallRequest {
  @Id()
  callee_id!: number;

  /** Sound alone, or pictures too; both terminals are told. */
  @OneOf(MEDIA_TYPES, { default: 'audio' })
  media_type!: MediaType;

  @Text({ max: 64, default: '' })
  terminal_id!: string;

  /** Idempotency id, at most 64 characters: the same one again by the same caller answers with the same call. */
  @Text({ max: 64, optional: true })
  request_id?: string;
}

/** A call as its caller needs it to join the media channel at once. */
export class CreatedCallResponse {
  call_id!: number;
  /** How far the call has come; `rejected`, `cancelled` and `ended` are ends. */
  status!: CallStatus;
  media_type!: MediaType;
  channel_name!: string;
  app_id!: string;
  caller_uid!: string;
  /** Lets the caller into the media channel at once; null when the call has already finished. */
  rtc_token!: string | null;
  @Moment()
  expire_at!: string | null;
  @Moment()
  ring_expires_at!: string;
  version!: number;
}
