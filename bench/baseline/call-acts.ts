import { randomInt, randomUUID } from 'node:crypto';
import { makeRoom } from './call-lists';
import { change, select, transaction } from './database';
import { type NewEvent, writeEvents } from './events';
import { notMeasured, Refusal } from './http';

const MAX_UID = 2 ** 32;
const GRACE_MS = 30_000;
const MAX_DURATION_MS = 14_400_000;
const RING_MS = 60_000;

interface Person {
  id: number;
  name: string;
  avatar: string | null;
}

interface Call {
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
  answered_terminal_id: string | null;
  deadline_at: Date | null;
  created_at: Date;
  ring_expires_at: Date;
  accepted_at: Date | null;
  started_at: Date | null;
  ended_at: Date | null;
}

/** A new call that rings, with its seats and its news. */
export async function create(
  callerId: number,
  calleeId: number,
  mediaType: string,
  terminalId: string,
): Promise<Call> {
  const people = await select<Person & { status: number; call_id: number | null }>(
    `SELECT u.id, u.name, u.avatar, u.status, s.call_id
     FROM users u LEFT JOIN call_seats s ON s.user_id = u.id WHERE u.id IN (?, ?)`,
    [callerId, calleeId],
  );
  const callee = people.find(({ id }) => id === calleeId);
  if (callee === undefined) throw new Refusal(404, 404, '用户不存在');
  if (calleeId === callerId || callee.status !== 1) throw new Refusal(409, 41003, '无法呼叫该用户');
  if (people.some(({ call_id }) => call_id !== null)) throw notMeasured('a user who is in a call already');
  const now = new Date();
  const call: Call = {
    id: 0,
    caller_id: callerId,
    callee_id: calleeId,
    media_type: mediaType,
    status: 'ringing',
    end_reason: null,
    ended_by: null,
    version: 1,
    channel_name: `call-${randomUUID()}`,
    caller_uid: randomInt(1, MAX_UID),
    callee_uid: 0,
    answered_terminal_id: null,
    deadline_at: new Date(now.getTime() + RING_MS),
    created_at: now,
    ring_expires_at: new Date(now.getTime() + RING_MS),
    accepted_at: null,
    started_at: null,
    ended_at: null,
  };
  const other = randomInt(1, MAX_UID - 1);
  call.callee_uid = other >= call.caller_uid ? other + 1 : other;
  return transaction(async (on) => {
    const enterLists = await makeRoom(on, callerId, calleeId, mediaType);
    const { insertId } = await change(
      on,
      `INSERT INTO calls (caller_id, callee_id, media_type, status, version, channel_name, caller_uid, callee_uid,
         caller_terminal_id, deadline_at, created_at, ring_expires_at)
       VALUES (?, ?, ?, 'ringing', 1, ?, ?, ?, ?, ?, ?, ?)`,
      [
        callerId,
        calleeId,
        mediaType,
        call.channel_name,
        call.caller_uid,
        call.callee_uid,
        terminalId,
        call.deadline_at,
        now,
        call.ring_expires_at,
      ],
    );
    call.id = insertId;
    await enterLists(insertId);
    await change(
      on,
      `INSERT INTO call_history (user_id, call_id, peer_id, direction, media_type, missed)
       VALUES (?, ?, ?, 'outgoing', ?, 0), (?, ?, ?, 'incoming', ?, 0)`,
      [callerId, insertId, calleeId, mediaType, calleeId, insertId, callerId, mediaType],
    );
    await change(on, 'INSERT INTO call_seats (user_id, call_id) VALUES (?, ?), (?, ?)', [
      Math.min(callerId, calleeId),
      insertId,
      Math.max(callerId, calleeId),
      insertId,
    ]);
    await writeEvents(on, [newsOf(call, people, calleeId, 'call.ringing', now)], now);
    return call;
  });
}

/** A call with the people in it. */
async function find(callId: number): Promise<{ call: Call; people: Person[] }> {
  const [row] = await select<
    Call & {
      caller_name: string;
      caller_avatar: string | null;
      callee_name: string;
      callee_avatar: string | null;
    }
  >(
    `SELECT c.*, a.name AS caller_name, a.avatar AS caller_avatar, b.name AS callee_name, b.avatar AS callee_avatar
     FROM calls c JOIN users a ON a.id = c.caller_id JOIN users b ON b.id = c.callee_id WHERE c.id = ?`,
    [callId],
  );
  if (row === undefined) throw new Refusal(404, 404, '通话不存在');
  if (row.deadline_at !== null && row.deadline_at <= new Date())
    throw notMeasured('a call past its deadline');
  const people = [
    { id: row.caller_id, name: row.caller_name, avatar: row.caller_avatar },
    { id: row.callee_id, name: row.callee_name, avatar: row.callee_avatar },
  ];
  return { call: row, people };
}

export async function accept(callId: number, userId: number, terminalId: string): Promise<Call> {
  const { call, people } = await find(callId);
  if (userId !== call.callee_id) throw new Refusal(403, 41004, '非被叫方');
  if (call.status !== 'ringing') throw notMeasured('an answer to a call that does not ring');
  const now = new Date();
  const [deadline, grace] = [new Date(now.getTime() + MAX_DURATION_MS), new Date(now.getTime() + GRACE_MS)];
  return transaction(async (on) => {
    // A caller whose connection is broken at this moment gets time to come back, in the same statement.
    const { affectedRows } = await change(
      on,
      `UPDATE calls c LEFT JOIN call_media_presences p ON p.call_id = c.id AND p.state = 'lost'
       SET c.status = 'accepted', c.version = c.version + 1, c.answered_terminal_id = ?, c.accepted_at = ?,
         c.deadline_at = CASE WHEN p.call_id IS NULL THEN ? ELSE ? END, p.grace_until = ?
       WHERE c.id = ? AND c.version = ?`,
      [terminalId, now, deadline, grace, grace, callId, call.version],
    );
    if (affectedRows === 0) throw notMeasured('a lost race');
    const next = { ...call, status: 'accepted', version: call.version + 1, accepted_at: now };
    const news = (to: number, type: string): NewEvent => newsOf(next, people, to, type, now, terminalId);
    await writeEvents(
      on,
      [
        news(call.caller_id, 'call.accepted'),
        news(call.callee_id, 'call.accepted'),
        news(call.callee_id, 'call.answered_elsewhere'),
      ],
      now,
    );
    return next;
  });
}

export async function hangUp(callId: number, userId: number, reason: string): Promise<Call> {
  const { call, people } = await find(callId);
  if (userId !== call.callee_id && userId !== call.caller_id) throw new Refusal(403, 41010, '非参与方');
  if (call.status !== 'accepted' && call.status !== 'ongoing')
    throw notMeasured('hanging up what was not answered');
  const now = new Date();
  return transaction(async (on) => {
    const { affectedRows } = await change(
      on,
      `UPDATE calls SET status = 'ended', version = version + 1, end_reason = ?, ended_by = ?, ended_at = ?,
         deadline_at = NULL WHERE id = ? AND version = ?`,
      [reason, userId, now, callId, call.version],
    );
    if (affectedRows === 0) throw notMeasured('a lost race');
    await change(on, 'DELETE FROM call_seats WHERE user_id IN (?, ?) AND call_id = ?', [
      call.caller_id,
      call.callee_id,
      callId,
    ]);
    const next = {
      ...call,
      status: 'ended',
      version: call.version + 1,
      end_reason: reason,
      ended_by: userId,
      ended_at: now,
    };
    const events = [call.caller_id, call.callee_id].map((to) => newsOf(next, people, to, 'call.ended', now));
    await writeEvents(on, events, now);
    return next;
  });
}

function newsOf(
  call: Call,
  people: Person[],
  userId: number,
  type: string,
  now: Date,
  terminal_id?: string,
): NewEvent {
  const party = (id: number): Person => {
    const { name = '', avatar = null } = people.find((person) => person.id === id) ?? {};
    return { id, name, avatar };
  };
  const isIncoming = call.caller_id !== userId;
  const { accepted_at, ended_at } = call;
  const lasted = accepted_at === null || ended_at === null ? 0 : ended_at.getTime() - accepted_at.getTime();
  const record = {
    call_id: call.id,
    direction: isIncoming ? 'incoming' : 'outgoing',
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
    accepted_at: accepted_at?.toISOString() ?? null,
    started_at: call.started_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
    duration: Math.max(0, Math.floor(lasted / 1000)),
    missed: isIncoming && call.status === 'ended' && accepted_at === null,
    server_time: now.toISOString(),
    caller_uid: String(call.caller_uid),
    callee_uid: String(call.callee_uid),
  };
  return { userId, type, payload: { call: record, terminal_id } };
}
