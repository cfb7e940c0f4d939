import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ApnsConfig } from '../../config/push-config';
import type { OutboundClient } from '../../outbound/outbound-client';
import { retryAfterMs } from '../../webhooks/rules/retry-schedule.rules';
import { apnsHeaders, apnsOutcome, apnsPayload, EXPIRED_TOKENS, parseReason } from '../rules/apns.rules';
import type { PushAddress, PushMessage, PushOutcome } from '../rules/push-message.rules';
import { PUSH_TIMEOUT_MS, type PushProvider, RenewedToken } from './push-provider';

/** Apple accepts a provider token for an hour, and a new one at most every 20 minutes. */
const TOKEN_MS = 40 * 60_000;

/** Sends to iOS by APNs over HTTP/2, as alerts and as VoIP pushes, with a provider token. */
export class ApnsProvider implements PushProvider {
  readonly #token: RenewedToken;

  constructor(
    private readonly config: ApnsConfig,
    private readonly client: OutboundClient,
  ) {
    const key = createPrivateKey(config.privateKey);
    this.#token = new RenewedToken(
      () =>
        new SignJWT({})
          .setProtectedHeader({ alg: 'ES256', kid: config.keyId })
          .setIssuer(config.teamId)
          .setIssuedAt()
          .sign(key),
      TOKEN_MS,
    );
  }

  async send(target: PushAddress, message: PushMessage, signal?: AbortSignal): Promise<PushOutcome> {
    const pending = this.#token.get(message.now.getTime());
    const response = await this.#post(target, message, { token: await pending, signal });
    const { reason = '' } = response.status === 403 ? parseReason(response.text) : {};
    if (!EXPIRED_TOKENS.includes(reason)) return this.#toOutcome(response, target, message);
    // Renewed once: a wrong key would be rejected again and again.
    this.#token.discard(pending);
    const token = await this.#token.get(message.now.getTime());
    return this.#toOutcome(await this.#post(target, message, { token, signal }), target, message);
  }

  #post(
    target: PushAddress,
    message: PushMessage,
    { token, signal }: { token: string; signal?: AbortSignal },
  ) {
    const url = target.sandbox ? this.config.sandboxUrl : this.config.url;
    return this.client.post(`${url}/3/device/${encodeURIComponent(target.token)}`, {
      headers: apnsHeaders(target, message, token),
      body: apnsPayload(target, message),
      to: 'http2',
      withinMs: PUSH_TIMEOUT_MS,
      signal,
    });
  }

  #toOutcome(
    response: { status: number; text: string; retryAfter?: string },
    { registered_at }: PushAddress,
    { now }: PushMessage,
  ): PushOutcome {
    return {
      ...apnsOutcome(response, registered_at),
      retryAfterMs: retryAfterMs(response.retryAfter, now),
    };
  }
}
