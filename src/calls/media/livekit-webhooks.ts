import { type WebhookEvent, WebhookReceiver } from 'livekit-server-sdk';
import { BusinessError } from '../../common/errors/business-error';
import { exceededJsonLimit } from '../../common/input/json-limits';
import { type MediaWebhookEvent, MediaWebhookReader, toUid } from './media-webhook-event';

/** LiveKit's `DisconnectReason`, which its SDK does not export. */
const CLIENT_INITIATED = 1;
const PARTICIPANT_REMOVED = 4;
const ROOM_DELETED = 5;
const SIGNAL_CLOSE = 9;
const CONNECTION_TIMEOUT = 14;
const FINAL_REASONS = new Set([CLIENT_INITIATED, PARTICIPANT_REMOVED, ROOM_DELETED]);
const TRANSIENT_REASONS = new Set([CONNECTION_TIMEOUT, SIGNAL_CLOSE]);

const MAX_ID_LENGTH = 100;

/** Reads LiveKit's webhooks: a JWT with the hash of the raw body, signed with the API secret (API 6.2). */
export class LivekitWebhookReader extends MediaWebhookReader {
  readonly #receiver: WebhookReceiver;

  constructor(credentials: { apiKey: string; apiSecret: string }) {
    super();
    this.#receiver = new WebhookReceiver(credentials.apiKey, credentials.apiSecret);
  }

  async read(body: Buffer, { authorization }: Parameters<MediaWebhookReader['read']>[1]) {
    const token = typeof authorization === 'string' ? authorization.replace(/^Bearer /i, '') : undefined;
    return toWebhookEvent(await this.#verified(body, token));
  }

  async #verified(body: Buffer, token: string | undefined): Promise<WebhookEvent> {
    try {
      // The SDK parses the body itself, so the JSON limits are checked first.
      if (exceededJsonLimit(body) !== undefined) throw new Error('Webhook body exceeds the JSON limits');
      return await this.#receiver.receive(body.toString(), token);
    } catch (error) {
      throw new BusinessError('UNAUTHORIZED', { cause: error, reason: 'webhook signature' });
    }
  }
}

function toWebhookEvent({
  id,
  event,
  room,
  participant,
  createdAt,
}: WebhookEvent): MediaWebhookEvent | undefined {
  const uid = toUid(participant?.identity);
  const kind = kindOf(event, participant?.disconnectReason ?? 0);
  if (id === '' || id.length > MAX_ID_LENGTH || room === undefined || uid === undefined || kind === undefined)
    return undefined;
  return {
    id: `livekit:${id}`,
    channel: room.name,
    kind,
    uid,
    position: String(createdAt),
    isCoarse: true,
    happenedAt: Number(createdAt),
  };
}

function kindOf(event: string, reason: number): MediaWebhookEvent['kind'] | undefined {
  if (event === 'participant_joined') return 'joined';
  if (event !== 'participant_left' && event !== 'participant_connection_aborted') return undefined;
  if (FINAL_REASONS.has(reason)) return 'left';
  return TRANSIENT_REASONS.has(reason) ? 'lost' : undefined;
}
