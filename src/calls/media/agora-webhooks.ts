import { createHmac, timingSafeEqual } from 'node:crypto';
import { BusinessError } from '../../common/errors/business-error';
import { parseJson } from '../../common/input/request-body';
import { type MediaWebhookEvent, MediaWebhookReader, toNumber, toUid } from './media-webhook-event';

const CHANNEL_DESTROYED = 102;
/** Event types of broadcasters, the audience, and the communication profile. */
const JOINS = new Set([103, 105, 107]);
const LEAVES = new Set([104, 106, 108]);
/** The participant left permanently: quit, was kicked, or its token expired. */
const FINAL_REASONS = new Set([1, 3, 12]);
/** The participant may come back: no packets, server change, address change, reconnecting, unknown network. */
const TRANSIENT_REASONS = new Set([2, 4, 9, 10, 99]);

interface Body {
  noticeId?: unknown;
  productId?: unknown;
  eventType?: unknown;
  payload?: {
    channelName?: unknown;
    uid?: unknown;
    clientSeq?: unknown;
    ts?: unknown;
    reason?: unknown;
  };
}

const RTC = 1;
const MAX_ID_LENGTH = 100;

/**
 * Reads Agora's webhooks. Their signature is an HMAC over the raw body: SHA-256 if its header is present, otherwise
 * SHA-1 (API 6.2).
 */
export class AgoraWebhookReader extends MediaWebhookReader {
  constructor(private readonly secret: string | undefined) {
    super();
  }

  async read(body: Buffer, headers: Parameters<MediaWebhookReader['read']>[1]) {
    if (!this.#isSigned(body, headers))
      throw new BusinessError('UNAUTHORIZED', { reason: 'webhook signature' });
    return toWebhookEvent(parseJson(body, keepDigits) ?? {});
  }

  #isSigned(body: Buffer, headers: Parameters<MediaWebhookReader['read']>[1]): boolean {
    if (this.secret === undefined) return false;
    const [algorithm, signature] =
      headers['agora-signature-v2'] === undefined
        ? ['sha1', headers['agora-signature']]
        : ['sha256', headers['agora-signature-v2']];
    const expected = createHmac(algorithm, this.secret).update(body).digest();
    const bytes = Buffer.from(typeof signature === 'string' ? signature : '', 'hex');
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  }
}

/** Keeps the digits of `clientSeq` as they were sent: a number cannot represent its 64 bits exactly. */
const keepDigits = (key: string, value: unknown, context?: { source?: string }): unknown =>
  key === 'clientSeq' && typeof value === 'number' ? context?.source : value;

function toWebhookEvent({ noticeId, productId, eventType, payload }: Body): MediaWebhookEvent | undefined {
  const kind = kindOf(toNumber(eventType), toNumber(payload?.reason));
  const channel = payload?.channelName;
  if (typeof noticeId !== 'string' || noticeId.length > MAX_ID_LENGTH) return undefined;
  if (productId !== RTC || typeof channel !== 'string' || kind === undefined) return undefined;
  const uid = toUid(payload?.uid);
  if (kind !== 'closed' && uid === undefined) return undefined;
  const position = payload?.clientSeq;
  return {
    id: `agora:${noticeId}`,
    channel,
    kind,
    uid,
    position: typeof position === 'string' && /^\d{1,20}$/.test(position) ? position : undefined,
    isCoarse: false,
    happenedAt: Number.isSafeInteger(payload?.ts) ? (payload?.ts as number) : undefined,
  };
}

function kindOf(eventType: number, reason: number): MediaWebhookEvent['kind'] | undefined {
  if (eventType === CHANNEL_DESTROYED) return 'closed';
  if (JOINS.has(eventType)) return 'joined';
  if (!LEAVES.has(eventType)) return undefined;
  if (FINAL_REASONS.has(reason)) return 'left';
  return TRANSIENT_REASONS.has(reason) ? 'lost' : undefined;
}
