import { importJWK, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { VapidConfig } from '../../config/push-config';
import type { OutboundAnswer, OutboundClient } from '../../outbound/outbound-client';
import type { PushAddress, PushMessage } from '../rules/push-message.rules';
import { webPushHeaders, webPushOutcome, webPushPayload } from '../rules/web-push.rules';
import { encryptPayload } from '../rules/web-push-encryption.rules';
import { PUSH_TIMEOUT_MS, type PushProvider, RenewedToken } from './push-provider';

/** Validity of a VAPID token; push services accept at most 24 h. */
const VALID_SECONDS = 12 * 3_600;
const TOKEN_MS = (VALID_SECONDS / 2) * 1_000;
/** Tokens kept: one per push service. */
const MAX_ORIGINS = 100;

/** Sends to browsers and to UnifiedPush by encrypted Web Push, whose sender VAPID identifies. */
export class WebPushProvider implements PushProvider {
  readonly outcomeOf = webPushOutcome;
  readonly #tokens = new LRUCache<string, RenewedToken>({ max: MAX_ORIGINS });

  constructor(
    private readonly config: VapidConfig,
    private readonly client: OutboundClient,
  ) {}

  async post(target: PushAddress, message: PushMessage, signal?: AbortSignal): Promise<OutboundAnswer> {
    const { token: endpoint, p256dh, auth } = target;
    const { origin } = new URL(endpoint);
    const token = await this.#tokenFor(origin).get(message.now.getTime());
    return this.client.post(endpoint, {
      headers: {
        ...webPushHeaders(message),
        authorization: `vapid t=${token}, k=${this.config.publicKey}`,
      },
      body: encryptPayload(webPushPayload(message), { p256dh: p256dh ?? '', auth: auth ?? '' }),
      withinMs: PUSH_TIMEOUT_MS,
      signal,
    });
  }

  #tokenFor(origin: string): RenewedToken {
    const known = this.#tokens.get(origin);
    if (known !== undefined) return known;
    const created = new RenewedToken(() => this.#issue(origin), TOKEN_MS);
    this.#tokens.set(origin, created);
    return created;
  }

  async #issue(origin: string): Promise<string> {
    const { publicKey, privateKey, subject } = this.config;
    const point = Buffer.from(publicKey, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
    const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y, d: privateKey }, 'ES256');
    return new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setAudience(origin)
      .setSubject(subject)
      .setExpirationTime(`${VALID_SECONDS}s`)
      .sign(key);
  }
}
