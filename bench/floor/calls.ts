import { randomInt, randomUUID } from 'node:crypto';
import { tokenFor } from '../baseline/calls';
import { notMeasured, HttpError } from '../baseline/http';
import { changeCallLists } from './call-lists';
import { times, transaction, type Transaction } from './database';
import { type Call, type CallView, eventOf, type People, type Person, viewOf } from './call-views';
import { append } from './event-log';
import type { Routes } from './http';
import { dispatchLater } from './outbox';

const { AGORA_APP_ID = '' } = process.env;
const MAX_UID = 2 ** 32;
const MAX_DURATION_MS = 14_400_000;
const RING_MS = 60_000;
const GRACE_MS = 30_000;

export const CALLS: Routes = {
  'POST /api/calls': async ({ user, body }) => {
    const { callee_id, media_type, terminal_id, request_id } = body;
    if (request_id !== undefined) throw notMeasured('a call with a request_id');
    if (typeof callee_id !== 'number' || !Number.isSafeInteger(callee_id))
      throw new HttpError(422, 422, 'callee_id 必须是整数');
    const call = await transaction((tx) =>
      create(tx, user, callee_id, text(media_type, 'audio'), text(terminal_id)),
    );
    const { token, expire_at } = tokenFor(call.channel_name, call.caller_uid);
    return {
      data: {
        call_id: call.id,
        status: call.status,
        media_type: call.media_type,
        channel_name: call.channel_name,
        app_id: AGORA_APP_ID,
        caller_uid: String(call.caller_uid),
        rtc_token: token,
        expire_at,
        ring_expires_at: call.ring_expires_at.toISOString(),
        version: call.version,
      },
    };
  },
  'POST /api/calls/:id/accept': async ({ user, id, body }) => {
    const call = await transaction((tx) => accept(tx, id, user, text(body.terminal_id)));
    const { token, expire_at } = tokenFor(call.channel_name, call.callee_uid);
    return {
      data: {
        call_id: call.id,
        status: call.status,
        channel_name: call.channel_name,
        app_id: AGORA_APP_ID,
        callee_uid: String(call.callee_uid),
        rtc_token: token,
        expire_at,
        version: call.version,
      },
    };
  },
  'POST /api/calls/:id/hangup': async ({ user, id, body }) => {
    const { call, domainEventId, payload } = await transaction((tx) =>
      hangUp(tx, id, user, text(body.reason, 'local_hangup')),
    );
    dispatchLater({ id: domainEventId, payload });
    const { status, end_reason, version } = call;
    return { data: { call_id: id, status, end_reason, version } };
  },
};

const text = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise);

const later = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds);

/** Reads both users in share mode, so that no block or deactivation is committed before the call is. */
const PARTIES = `SELECT u.id, u.name, u.avatar, u.status,
    EXISTS (SELECT 1 FROM user_blocks x WHERE x.user_id = ? AND x.blocked_id = ?)
      OR EXISTS (SELECT 1 FROM user_blocks y WHERE y.user_id = ? AND y.blocked_id = ?) AS blocked
  FROM users u WHERE u.id IN (?, ?) LOCK IN SHARE MODE`;

async function create(
  tx: Transaction,
  caller_id: number,
  callee_id: number,
  media_type: string,
  terminalId: string,
): Promise<Call> {
  const both = [caller_id, callee_id].toSorted((a, b) => a - b);
  const [seats, parties] = await Promise.all([
    tx.select<{ user_id: number }>('SELECT user_id FROM call_seats WHERE user_id IN (?, ?)', both),
    tx.select<Person & { id: number; status: number; blocked: number }>(PARTIES, [
      caller_id,
      callee_id,
      callee_id,
      caller_id,
      caller_id,
      callee_id,
    ]),
  ]);
  const people: People = new Map(parties.map((person) => [person.id, person]));
  const callee = parties.find(({ id }) => id === callee_id);
  if (callee === undefined) throw new HttpError(404, 404, '用户不存在');
  if (callee_id === caller_id || callee.status !== 1 || parties.some(({ blocked }) => blocked))
    throw new HttpError(409, 41003, '无法呼叫该用户');
  if (seats.some(({ user_id }) => user_id === caller_id)) throw new HttpError(409, 41002, '您正在通话中');
  if (seats.length > 0) throw notMeasured('a call to a user in another call');

  const now = new Date();
  const caller_uid = randomInt(1, MAX_UID);
  const other = randomInt(1, MAX_UID - 1);
  const ring_expires_at = later(now, RING_MS);
  const call = {
    caller_id,
    callee_id,
    media_type,
    status: 'ringing',
    end_reason: null,
    ended_by: null,
    version: 1,
    channel_name: `call-${randomUUID()}`,
    caller_uid,
    callee_uid: other >= caller_uid ? other + 1 : other,
    deadline_at: ring_expires_at,
    created_at: now,
    ring_expires_at,
    accepted_at: null,
    started_at: null,
    ended_at: null,
  };
  const insertPositions = changeCallLists(tx, call);
  const { insertId: id } = await tx.change(
    `INSERT INTO calls (caller_id, callee_id, media_type, status, version, channel_name, caller_uid, callee_uid,
       caller_terminal_id, created_at, ring_expires_at, deadline_at)
     VALUES (?, ?, ?, 'ringing', 1, ?, ?, ?, ?, ?, ?, ?)`,
    [
      caller_id,
      callee_id,
      media_type,
      call.channel_name,
      caller_uid,
      call.callee_uid,
      terminalId,
      now,
      ring_expires_at,
      ring_expires_at,
    ],
  );
  insertPositions(id);
  void tx.change(
    `INSERT INTO call_seats (user_id, call_id) VALUES ${times(2, '(?, ?)')}`,
    both.flatMap((user) => [user, id]),
  );
  append(tx, [eventOf(callee_id, 'call.ringing', { ...call, id }, people, now)], now);
  return { ...call, id };
}

const CALL = `SELECT c.id, c.caller_id, c.callee_id, c.media_type, c.status, c.end_reason, c.ended_by, c.version,
    c.channel_name, c.caller_uid, c.callee_uid, c.deadline_at, c.created_at, c.ring_expires_at, c.accepted_at,
    c.started_at, c.ended_at, a.name AS caller_name, a.avatar AS caller_avatar, b.name AS callee_name,
    b.avatar AS callee_avatar
  FROM calls c LEFT JOIN users a ON a.id = c.caller_id LEFT JOIN users b ON b.id = c.callee_id WHERE c.id = ?`;

type Row = Call & {
  caller_name: string;
  caller_avatar: string | null;
  callee_name: string;
  callee_avatar: string | null;
};

async function find(tx: Transaction, callId: number): Promise<{ call: Call; people: People }> {
  const [row] = await tx.select<Row>(CALL, [callId]);
  if (row === undefined) throw new HttpError(404, 404, '通话不存在');
  const { caller_name, caller_avatar, callee_name, callee_avatar, ...call } = row;
  if (call.deadline_at !== null && call.deadline_at <= new Date())
    throw notMeasured('a call past its deadline');
  const people = new Map([
    [call.caller_id, { name: caller_name, avatar: caller_avatar }],
    [call.callee_id, { name: callee_name, avatar: callee_avatar }],
  ]);
  return { call, people };
}

async function accept(tx: Transaction, callId: number, userId: number, terminalId: string): Promise<Call> {
  const { call: before, people } = await find(tx, callId);
  if (userId !== before.callee_id) throw new HttpError(403, 41004, '非被叫方');
  if (before.status !== 'ringing') throw notMeasured('an answer to a call that does not ring');
  const now = new Date();
  const call = { ...before, status: 'accepted', accepted_at: now, version: before.version + 1 };
  const moved = tx.change(
    `UPDATE calls SET status = 'accepted', version = version + 1, answered_terminal_id = ?, accepted_at = ?,
       deadline_at = ? WHERE id = ? AND version = ?`,
    [terminalId, now, later(now, MAX_DURATION_MS), callId, before.version],
  );
  // Terminals that were lost while the call rang get a new grace period.
  const lost = tx.change(
    "UPDATE call_media_presences SET grace_until = ? WHERE call_id = ? AND state = 'lost'",
    [later(now, GRACE_MS), callId],
  );
  const { caller_id, callee_id } = call;
  append(
    tx,
    [
      eventOf(caller_id, 'call.accepted', call, people, now, terminalId),
      eventOf(callee_id, 'call.accepted', call, people, now, terminalId),
      eventOf(callee_id, 'call.answered_elsewhere', call, people, now, terminalId),
    ],
    now,
  );
  if ((await moved).affectedRows === 0) throw notMeasured('a lost race');
  if ((await lost).affectedRows > 0) throw notMeasured('an answer after a terminal was lost');
  return call;
}

async function hangUp(
  tx: Transaction,
  callId: number,
  userId: number,
  reason: string,
): Promise<{ call: Call; domainEventId: number; payload: CallView }> {
  const { call: before, people } = await find(tx, callId);
  const both = [before.caller_id, before.callee_id];
  if (!both.includes(userId)) throw new HttpError(403, 41010, '非参与方');
  if (before.status !== 'accepted') throw notMeasured('hanging up a call that was not answered');
  const now = new Date();
  const call = {
    ...before,
    status: 'ended',
    end_reason: reason,
    ended_by: userId,
    ended_at: now,
    version: before.version + 1,
  };
  const moved = tx.change(
    `UPDATE calls SET status = 'ended', version = version + 1, end_reason = ?, ended_by = ?, ended_at = ?,
       deadline_at = NULL WHERE id = ? AND version = ?`,
    [reason, userId, now, callId, before.version],
  );
  void tx.change('DELETE FROM call_seats WHERE user_id IN (?, ?) AND call_id = ?', [...both, callId]);
  append(
    tx,
    both.map((user) => eventOf(user, 'call.ended', call, people, now)),
    now,
  );
  const payload = viewOf(call, people);
  const recorded = tx.change('INSERT INTO domain_events (events, created_at) VALUES (?, ?)', [
    JSON.stringify([
      {
        eventId: `evt_${randomUUID()}`,
        type: 'call.ended',
        subject: `call:${callId}`,
        payload: JSON.stringify({ call: payload }),
        traceparent: null,
        at: now,
      },
    ]),
    now,
  ]);
  if ((await moved).affectedRows === 0) throw notMeasured('a lost race');
  return { call, domainEventId: (await recorded).insertId, payload };
}
