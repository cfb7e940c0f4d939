import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ApnsConfig } from '../../config/push-config';
import type { OutboundAnswer, OutboundClient } from '../../outbound/outbound-client';
import { apnsHeaders, apnsOutcome, apnsPayload, needsNewToken } from '../rules/apns.rules';
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

  post(target: PushAddress, message: PushMessage, signal?: AbortSignal): Promise<OutboundAnswer> {
    const url = target.sandbox ? this.config.sandboxUrl : this.config.url;
    const request = (token: string): Promise<OutboundAnswer> =>
      this.client.post(`${url}/3/device/${encodeURIComponent(target.token)}`, {
        headers: apnsHeaders(target, message, token),
        body: apnsPayload(target, message),
        to: 'http2',
        withinMs: PUSH_TIMEOUT_MS,
        signal,
      });
    return this.#token.post(message.now.getTime(), request, needsNewToken);
  }

  outcomeOf(response: OutboundAnswer, { registered_at }: PushAddress): PushOutcome {
    return apnsOutcome(response, registered_at);
  }
}
