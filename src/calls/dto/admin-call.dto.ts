import { TimestampField } from '../../openapi/response-fields';
import { Text } from '../../common/input/fields';
import type { CallEntity } from '../entities/call.entity';
import type { CallMediaStateEntity } from '../entities/call-media-state.entity';
import { AdminCallResponse } from './call-record.dto';

/** POST /api/admin/calls/{callId}/end (API 15.2). */
export class EndCallRequest {
  @Text({ max: 64, default: 'admin_end' })
  reason!: string;
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
