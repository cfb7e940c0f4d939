import { type WebhookEvent, WebhookReceiver } from 'livekit-server-sdk';
import { BusinessError } from '../../common/errors/business-error';
import { type MediaNotice, MediaNoticeReader, toUid } from './media-notice';

/** LiveKit's `DisconnectReason`, which its SDK does not export. */
const CLIENT_INITIATED = 1;
const PARTICIPANT_REMOVED = 4;
const ROOM_DELETED = 5;
const SIGNAL_CLOSE = 9;
const CONNECTION_TIMEOUT = 14;
const FINAL_REASONS = new Set([CLIENT_INITIATED, PARTICIPANT_REMOVED, ROOM_DELETED]);
const TRANSIENT_REASONS = new Set([CONNECTION_TIMEOUT, SIGNAL_CLOSE]);

const MAX_ID = 100;

/** LiveKit's webhooks: a JWT with the hash of the raw body, signed with the API secret (contract 3.5). */
export class LivekitNotices extends MediaNoticeReader {
  readonly #receiver: WebhookReceiver;

  constructor(credentials: { apiKey: string; apiSecret: string }) {
    super();
    this.#receiver = new WebhookReceiver(credentials.apiKey, credentials.apiSecret);
  }

  async read(body: Buffer, { authorization }: Parameters<MediaNoticeReader['read']>[1]) {
    const token = typeof authorization === 'string' ? authorization.replace(/^Bearer /i, '') : undefined;
    return toNotice(await this.#verified(body.toString(), token));
  }

  async #verified(body: string, token: string | undefined): Promise<WebhookEvent> {
    try {
      return await this.#receiver.receive(body, token);
    } catch (error) {
      throw new BusinessError('UNAUTHORIZED', { cause: error });
    }
  }
}

function toNotice({ id, event, room, participant, createdAt }: WebhookEvent): MediaNotice | undefined {
  const uid = toUid(participant?.identity);
  const kind = kindOf(event, participant?.disconnectReason ?? 0);
  if (id === '' || id.length > MAX_ID || room === undefined || uid === undefined || kind === undefined)
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

function kindOf(event: string, reason: number): MediaNotice['kind'] | undefined {
  if (event === 'participant_joined') return 'joined';
  if (event !== 'participant_left' && event !== 'participant_connection_aborted') return undefined;
  if (FINAL_REASONS.has(reason)) return 'left';
  return TRANSIENT_REASONS.has(reason) ? 'lost' : undefined;
}
