import { createHash, createHmac, createSecretKey, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ApiResponse, ApiClient } from './api-client';

export const AGORA_SECRET = 'secret';
export const LIVEKIT = {
  MEDIA_PROVIDER: 'livekit',
  LIVEKIT_URL: 'wss://media.example',
  LIVEKIT_API_KEY: 'APIkey',
  LIVEKIT_API_SECRET: 'a-secret-of-livekit-with-32-bytes-or-more',
};

const hmac = (algorithm: string, body: string, secret: string): string =>
  createHmac(algorithm, secret).update(body).digest('hex');

/** Posts a body to Agora's webhook, with both signatures unless other headers are given. */
export function postAgora(
  api: ApiClient,
  body: string,
  headers?: Record<string, string>,
): Promise<ApiResponse> {
  const signed = {
    'agora-signature': hmac('sha1', body, AGORA_SECRET),
    'agora-signature-v2': hmac('sha256', body, AGORA_SECRET),
  };
  return api.with(headers ?? signed).send('POST', '/api/media/webhooks/agora', body);
}

export interface AgoraEvent {
  eventType: number;
  channelName: string;
  uid?: number;
  clientSeq?: number | string;
  ts?: number;
  reason?: number;
  noticeId?: string;
}

/** Returns the body of an Agora webhook. `clientSeq` may be a text with more digits than a number can hold. */
export function agoraBody({ eventType, noticeId = randomUUID(), clientSeq, ...payload }: AgoraEvent): string {
  const body = JSON.stringify({ noticeId, productId: 1, eventType, notifyMs: 1, payload });
  return clientSeq === undefined ? body : body.replace('"payload":{', `"payload":{"clientSeq":${clientSeq},`);
}

export interface LivekitEvent {
  event: string;
  room: string;
  identity?: string;
  createdAt: number;
  disconnectReason?: string;
  id?: string;
}

export function livekitBody({
  id = randomUUID(),
  event,
  room,
  identity,
  createdAt,
  ...rest
}: LivekitEvent): string {
  const participant = identity === undefined ? {} : { participant: { identity, ...rest } };
  return JSON.stringify({ event, id, createdAt: String(createdAt), room: { name: room }, ...participant });
}

/** Posts a body to LiveKit's webhook, with a token that contains its hash or that of another body. */
export async function postLivekit(
  api: ApiClient,
  body: string,
  { secret = LIVEKIT.LIVEKIT_API_SECRET, hashOf = body } = {},
): Promise<ApiResponse> {
  const token = await new SignJWT({ sha256: createHash('sha256').update(hashOf).digest('base64') })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(LIVEKIT.LIVEKIT_API_KEY)
    .setExpirationTime('5m')
    .sign(createSecretKey(Buffer.from(secret)));
  return api
    .with({ authorization: token, 'content-type': 'application/webhook+json' })
    .send('POST', '/api/media/webhooks/livekit', body);
}
