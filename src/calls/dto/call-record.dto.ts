import { durationOf, isMissed } from '../rules/call-outcome.rules';
import { TimestampField, Picture } from '../../openapi/response-fields';
import { OneOf, PageNumber, PerPage, QueryId, QueryOneOf } from '../../common/input/fields';
import type { UserSummary } from '../../identity/users.service';
import type { CallStatus } from '../rules/call-state.rules';
import { MEDIA_TYPES, type MediaType, type CallEntity } from '../entities/call.entity';
import { type Direction, DIRECTIONS } from '../entities/call-position.entity';

export class ListCallsQuery {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /** Only calls that the user placed (`outgoing`) or received (`incoming`). */
  @OneOf(DIRECTIONS, { optional: true })
  direction?: Direction;

  /** 1: only calls that the user missed. */
  @QueryOneOf([1])
  missed?: 1;

  /** Only calls with this user. */
  @QueryId()
  peer_id?: number;

  /** Only calls with this media type. */
  @OneOf(MEDIA_TYPES, { optional: true })
  media_type?: MediaType;
}

/** One of the two users of a call. */
export class CallPartyResponse implements UserSummary {
  /**
   * The user's id.
   * @example 2
   */
  id!: number;
  name!: string;
  @Picture()
  avatar!: string | null;
}

/** A call from the current user's point of view (API 5.6). Times are ISO 8601. */
export class CallResponse {
  call_id!: number;
  direction!: Direction;
  media_type!: MediaType;
  /**
   * Status of the call; `rejected`, `cancelled` and `ended` are final.
   * @example "ended"
   */
  status!: CallStatus;
  end_reason!: string | null;
  /**
   * The user who ended the call; null if the service or an administrator ended it, or while it is unfinished.
   * @example 3
   */
  ended_by!: number | null;
  version!: number;
  caller!: CallPartyResponse;
  callee!: CallPartyResponse;
  channel_name!: string;
  @TimestampField()
  created_at!: string;
  @TimestampField()
  ring_expires_at!: string;
  @TimestampField()
  accepted_at!: string | null;
  @TimestampField()
  started_at!: string | null;
  @TimestampField()
  ended_at!: string | null;
  /**
   * Whole seconds from the answer to the end, rounded down; 0 before the end and for a call never answered.
   * @example 42
   */
  duration!: number;
  /** The current user was called and neither answered nor declined. */
  missed!: boolean;
  /** Current time of the service, for computing the time left until `ring_expires_at`. */
  @TimestampField()
  server_time!: string;
  caller_uid!: string;
  callee_uid!: string;
}

/** A call as administrators see it, from neither participant's point of view (API 15.2). Times are ISO 8601. */
export class AdminCallResponse {
  call_id!: number;
  media_type!: MediaType;
  /**
   * Status of the call; `rejected`, `cancelled` and `ended` are final.
   * @example "ended"
   */
  status!: CallStatus;
  end_reason!: string | null;
  /**
   * The user who ended the call; null if the service or an administrator ended it, or while it is unfinished.
   * @example 3
   */
  ended_by!: number | null;
  version!: number;
  caller!: CallPartyResponse;
  callee!: CallPartyResponse;
  channel_name!: string;
  @TimestampField()
  created_at!: string;
  @TimestampField()
  ring_expires_at!: string;
  @TimestampField()
  accepted_at!: string | null;
  @TimestampField()
  started_at!: string | null;
  @TimestampField()
  ended_at!: string | null;
  /**
   * Whole seconds from the answer to the end, rounded down; 0 before the end and for a call never answered.
   * @example 42
   */
  duration!: number;
  /** The callee neither answered nor declined. */
  missed!: boolean;
  caller_uid!: string;
  callee_uid!: string;
}

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

interface Viewpoint {
  userId: number;
  users: Map<number, UserSummary>;
  now: Date;
}

export function toCallResponse(call: CallEntity, { userId, users, now }: Viewpoint): CallResponse {
  const direction = call.caller_id === userId ? 'outgoing' : 'incoming';
  const { call_id, caller_uid, callee_uid, ...record } = toAdminCallResponse(call, users);
  const missed = direction === 'incoming' && record.missed;
  return { call_id, direction, ...record, missed, server_time: now.toISOString(), caller_uid, callee_uid };
}

/** The fields of `AdminCallResponse` as a plain type. */
export type AdminCallFields = Pick<AdminCallResponse, keyof AdminCallResponse>;

export const toAdminCallResponse = (call: CallEntity, users: Map<number, UserSummary>): AdminCallFields => ({
  call_id: call.id,
  media_type: call.media_type,
  status: call.status,
  end_reason: call.end_reason,
  ended_by: call.ended_by,
  version: call.version,
  caller: partyOf(call.caller_id, users),
  callee: partyOf(call.callee_id, users),
  channel_name: call.channel_name,
  created_at: call.created_at.toISOString(),
  ring_expires_at: call.ring_expires_at.toISOString(),
  accepted_at: iso(call.accepted_at),
  started_at: iso(call.started_at),
  ended_at: iso(call.ended_at),
  duration: durationOf(call),
  missed: isMissed(call),
  caller_uid: String(call.caller_uid),
  callee_uid: String(call.callee_uid),
});

function partyOf(id: number, users: Map<number, UserSummary>): CallPartyResponse {
  const { name = '', avatar = null } = users.get(id) ?? {};
  return { id, name, avatar };
}
