import { RtcRole, RtcTokenBuilder } from 'agora-token';
import type { FastifyInstance } from 'fastify';
import { accept, create, hangUp } from './call-acts';
import { callerOf, notMeasured, ok, pathId, Refusal } from './http';

const { AGORA_APP_ID = '', AGORA_APP_CERTIFICATE = '' } = process.env;
const TOKEN_TTL_SECONDS = 3_600;

/** Calling, answering and hanging up. */
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
    if (!Number.isSafeInteger(body.callee_id)) throw new Refusal(422, 422, 'callee_id 必须是整数');
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

function tokenFor(channel: string, uid: number): { token: string; expire_at: string } {
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
