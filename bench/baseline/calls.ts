import { randomInt, randomUUID } from 'node:crypto';
import { RtcRole, RtcTokenBuilder } from 'agora-token';
import type { FastifyInstance } from 'fastify';
import { change, changeAtOnce, select, transaction } from './database';
import { callerOf, notMeasured, ok, pathId, HttpError } from './http';

const { AGORA_APP_ID = '', AGORA_APP_CERTIFICATE = '' } = process.env;
const TOKEN_TTL_SECONDS = 3_600;
const MAX_UID = 2 ** 32;
const MAX_DURATION_MS = 14_400_000;
const RING_MS = 60_000;

/** Placing, answering and hanging up calls. */
export function calls(server: FastifyInstance): void {
  server.post('/api/calls', async (request, reply) => {
    const caller = callerOf(request).id;
    const body = request.body as {
      callee_id: number;
      media_type?: string;
      terminal_id?: string;
      request_id?: string;
    };
    if (body.request_id !== undefined) throw notMeasured('a call with a request_id');
    if (!Number.isSafeInteger(body.callee_id)) throw new HttpError(422, 422, 'callee_id 必须是整数');
    const { callee_id, media_type = 'audio', terminal_id = '' } = body;
    const call = await create(caller, callee_id, media_type, terminal_id);
    const { token, expire_at } = tokenFor(call.channel_name, call.caller_uid);
    return ok(reply, {
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
    });
  });

  server.post('/api/calls/:callId/accept', async (request, reply) => {
    const userId = callerOf(request).id;
    const { terminal_id = '' } = (request.body ?? {}) as { terminal_id?: string };
    const call = await accept(pathId(request, 'callId'), userId, terminal_id);
    const { token, expire_at } = tokenFor(call.channel_name, call.callee_uid);
    return ok(reply, {
      call_id: call.id,
      status: 'accepted',
      channel_name: call.channel_name,
      app_id: AGORA_APP_ID,
      callee_uid: String(call.callee_uid),
      rtc_token: token,
      expire_at,
      version: call.version,
    });
  });

  server.post('/api/calls/:callId/hangup', async (request, reply) => {
    const userId = callerOf(request).id;
    const body = (request.body ?? {}) as { reason?: string };
    const call = await hangUp(pathId(request, 'callId'), userId, body.reason ?? 'local_hangup');
    const { id: call_id, status, end_reason, version } = call;
    return ok(reply, { call_id, status, end_reason, version });
  });
}

/** Generates a media token, as the service does with Agora. */
export function tokenFor(channel: string, uid: number): { token: string; expire_at: string } {
  const token = RtcTokenBuilder.buildTokenWithUid(
    AGORA_APP_ID,
    AGORA_APP_CERTIFICATE,
    channel,
    uid,
    RtcRole.PUBLISHER,
    TOKEN_TTL_SECONDS,
    TOKEN_TTL_SECONDS,
  );
  const issuedAt = Math.floor(Date.now() / 1000);
  return { token, expire_at: new Date((issuedAt + TOKEN_TTL_SECONDS) * 1000).toISOString() };
}

/** Fields of a call that appear in the responses. */
interface Call {
  id: number;
  caller_id: number;
  callee_id: number;
  media_type: string;
  status: string;
  end_reason: string | null;
  version: number;
  channel_name: string;
  caller_uid: number;
  callee_uid: number;
  ring_expires_at: Date;
}

const later = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds);

/** Inserts a ringing call and its two seats. */
async function create(
  callerId: number,
  calleeId: number,
  mediaType: string,
  terminalId: string,
): Promise<Call> {
  const people = await select<{ id: number; status: number; call_id: number | null }>(
    'SELECT u.id, u.status, s.call_id FROM users u JOIN seats s ON s.user_id = u.id WHERE u.id IN (?, ?)',
    [callerId, calleeId],
  );
  const callee = people.find(({ id }) => id === calleeId);
  if (callee === undefined) throw new HttpError(404, 404, '用户不存在');
  if (calleeId === callerId || callee.status !== 1) throw new HttpError(409, 41003, '无法呼叫该用户');
  if (people.some(({ id, call_id }) => id === callerId && call_id !== null))
    throw new HttpError(409, 41002, '您正在通话中');
  const now = new Date();
  const callerUid = randomInt(1, MAX_UID);
  const other = randomInt(1, MAX_UID - 1);
  const call = {
    caller_id: callerId,
    callee_id: calleeId,
    media_type: mediaType,
    status: 'ringing',
    end_reason: null,
    version: 1,
    channel_name: `call-${randomUUID()}`,
    caller_uid: callerUid,
    callee_uid: other >= callerUid ? other + 1 : other,
    ring_expires_at: later(now, RING_MS),
  };
  const id = await transaction(async (on) => {
    const { insertId } = await change(
      `INSERT INTO calls (caller_id, callee_id, media_type, status, version, channel_name, caller_uid, callee_uid,
         caller_terminal_id, created_at, ring_expires_at, deadline_at)
       VALUES (?, ?, ?, 'ringing', 1, ?, ?, ?, ?, ?, ?, ?)`,
      [
        callerId,
        calleeId,
        mediaType,
        call.channel_name,
        call.caller_uid,
        call.callee_uid,
        terminalId,
        now,
        call.ring_expires_at,
        call.ring_expires_at,
      ],
      on,
    );
    const { affectedRows } = await change(
      'UPDATE seats SET call_id = ? WHERE user_id IN (?, ?) AND call_id IS NULL',
      [insertId, callerId, calleeId],
      on,
    );
    if (affectedRows !== 2) throw notMeasured('a call to somebody who is in one');
    return insertId;
  });
  return { ...call, id };
}

async function find(callId: number): Promise<Call> {
  const [call] = await select<Call & { deadline_at: Date | null }>(
    `SELECT id, caller_id, callee_id, media_type, status, end_reason, version, channel_name, caller_uid, callee_uid,
       ring_expires_at, deadline_at FROM calls WHERE id = ?`,
    [callId],
  );
  if (call === undefined) throw new HttpError(404, 404, '通话不存在');
  if (call.deadline_at !== null && call.deadline_at <= new Date())
    throw notMeasured('a call past its deadline');
  return call;
}

async function accept(callId: number, userId: number, terminalId: string): Promise<Call> {
  const call = await find(callId);
  if (userId !== call.callee_id) throw new HttpError(403, 41004, '非被叫方');
  if (call.status !== 'ringing') throw notMeasured('an answer to a call that does not ring');
  const now = new Date();
  const { affectedRows } = await changeAtOnce(
    `UPDATE calls SET status = 'accepted', version = version + 1, answered_terminal_id = ?, accepted_at = ?,
       deadline_at = ? WHERE id = ? AND version = ?`,
    [terminalId, now, later(now, MAX_DURATION_MS), callId, call.version],
  );
  if (affectedRows === 0) throw notMeasured('a lost race');
  return { ...call, status: 'accepted', version: call.version + 1 };
}

/** Ends the call and frees both seats in one statement. */
async function hangUp(callId: number, userId: number, reason: string): Promise<Call> {
  const call = await find(callId);
  if (userId !== call.callee_id && userId !== call.caller_id) throw new HttpError(403, 41010, '非参与方');
  if (call.status !== 'accepted') throw notMeasured('hanging up what was not answered');
  const { affectedRows } = await changeAtOnce(
    `UPDATE calls c JOIN seats s ON s.user_id IN (?, ?) AND s.call_id = c.id
     SET c.status = 'ended', c.version = c.version + 1, c.end_reason = ?, c.ended_by = ?, c.ended_at = ?,
       c.deadline_at = NULL, s.call_id = NULL
     WHERE c.id = ? AND c.version = ?`,
    [call.caller_id, call.callee_id, reason, userId, new Date(), callId, call.version],
  );
  if (affectedRows === 0) throw notMeasured('a lost race');
  return { ...call, status: 'ended', end_reason: reason, version: call.version + 1 };
}
