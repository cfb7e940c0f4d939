import { TimestampField } from '../../openapi/response-fields';
import { Text } from '../../common/input/fields';
import type { UserSummary } from '../../identity/users.service';
import type { CallStatus } from '../rules/call-state.rules';
import type { CallEntity, MediaType } from '../entities/call.entity';
import type { CallMediaStateEntity } from '../entities/call-media-state.entity';
import { durationOf, isMissed } from '../rules/call-outcome.rules';
import { CallPartyResponse, iso, partyOf } from './call-record.dto';

/** POST /api/admin/calls/{callId}/end (API 15.2). */
export class EndCallRequest {
  @Text({ max: 64, default: 'admin_end' })
  reason!: string;
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

/** The last media report of a terminal. */
export class CallTerminalResponse {
  /** The user of the terminal. */
  user_id!: number;
  /** Empty for the nameless terminal. */
  terminal_id!: string;
  /** Progress that the terminal reported last; null if it reported none. */
  stage!: string | null;
  /** Connection quality as the terminal reported it last, in the terminal's own terms; null if it reported none. */
  network_quality!: string | null;
  /** Time of the last report; ISO 8601 in UTC with milliseconds. */
  @TimestampField()
  reported_at!: string;
}

/** An event in the timeline of a call. */
export class CallTimelineResponse {
  /** Time of the event; ISO 8601 in UTC with milliseconds. */
  @TimestampField()
  at!: string;
  /** Type of the event. */
  event!: 'created' | 'accepted' | 'started' | 'rejected' | 'cancelled' | 'ended';
  /** The user who caused the event; null for `started`, and if the service or an administrator ended the call. */
  user_id!: number | null;
}

/** A call with its terminals and its timeline. */
export class AdminCallDetailResponse extends AdminCallResponse {
  /** The terminals that have reported their media state. */
  terminals!: CallTerminalResponse[];
  /** The events of the call, oldest first. */
  timeline!: CallTimelineResponse[];
}

/** The fields of `AdminCallResponse` as a plain type. */
export type AdminCallFields = Omit<AdminCallDetailResponse, 'terminals' | 'timeline'>;

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

export const toCallTerminalResponse = ({
  user_id,
  terminal_id,
  stage,
  network_quality,
  reported_at,
}: CallMediaStateEntity): CallTerminalResponse => ({
  user_id,
  terminal_id,
  stage,
  network_quality,
  reported_at: reported_at.toISOString(),
});

/** Derives the timeline of a call from its timestamps, oldest event first. */
export function timelineOf(call: CallEntity): CallTimelineResponse[] {
  const { status, caller_id, callee_id, ended_by } = call;
  const end = status === 'rejected' || status === 'cancelled' ? status : 'ended';
  const events: { at: Date | null; event: CallTimelineResponse['event']; user_id: number | null }[] = [
    { at: call.created_at, event: 'created', user_id: caller_id },
    { at: call.accepted_at, event: 'accepted', user_id: callee_id },
    { at: call.started_at, event: 'started', user_id: null },
    { at: call.ended_at, event: end, user_id: ended_by },
  ];
  return events
    .flatMap(({ at, ...event }) => (at === null ? [] : [{ at: at.toISOString(), ...event }]))
    .toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}
