import type { NewEvent } from './event-log';

export interface Person {
  name: string;
  avatar: string | null;
}

/** A row of `calls`. */
export interface Call {
  id: number;
  caller_id: number;
  callee_id: number;
  media_type: string;
  status: string;
  end_reason: string | null;
  ended_by: number | null;
  version: number;
  channel_name: string;
  caller_uid: number;
  callee_uid: number;
  deadline_at: Date | null;
  created_at: Date;
  ring_expires_at: Date;
  accepted_at: Date | null;
  started_at: Date | null;
  ended_at: Date | null;
}

/** The participants by id. */
export type People = Map<number, Person>;

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export type CallView = ReturnType<typeof viewOf>;

/** A call from neither participant's point of view. */
export function viewOf(call: Call, people: People) {
  const party = (id: number) => ({
    id,
    name: people.get(id)?.name ?? '',
    avatar: people.get(id)?.avatar ?? null,
  });
  const { accepted_at, ended_at } = call;
  return {
    call_id: call.id,
    media_type: call.media_type,
    status: call.status,
    end_reason: call.end_reason,
    ended_by: call.ended_by,
    version: call.version,
    caller: party(call.caller_id),
    callee: party(call.callee_id),
    channel_name: call.channel_name,
    created_at: call.created_at.toISOString(),
    ring_expires_at: call.ring_expires_at.toISOString(),
    accepted_at: iso(accepted_at),
    started_at: iso(call.started_at),
    ended_at: iso(ended_at),
    duration:
      accepted_at === null || ended_at === null
        ? 0
        : Math.max(0, Math.floor((ended_at.getTime() - accepted_at.getTime()) / 1000)),
    missed: false,
    caller_uid: String(call.caller_uid),
    callee_uid: String(call.callee_uid),
  };
}

/** An event with the call from the user's point of view. */
export function eventOf(
  log: number,
  type: string,
  call: Call,
  people: People,
  now: Date,
  terminal_id?: string,
): NewEvent {
  const { call_id, missed, caller_uid, callee_uid, ...fields } = viewOf(call, people);
  const direction = log === call.caller_id ? 'outgoing' : 'incoming';
  const server_time = now.toISOString();
  const record = { call_id, direction, ...fields, missed, server_time, caller_uid, callee_uid };
  return {
    log,
    type,
    payload: JSON.stringify({ call: record, ...(terminal_id !== undefined && { terminal_id }) }),
  };
}
