import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { FcmConfig } from '../../config/push-config';
import type { OutboundAnswer, OutboundClient } from '../../outbound/outbound-client';
import { OutboundError } from '../../outbound/outbound-error';
import { fcmBody, fcmOutcome } from '../rules/fcm.rules';
import type { PushAddress, PushMessage } from '../rules/push-message.rules';
import { PUSH_TIMEOUT_MS, type PushProvider, RenewedToken } from './push-provider';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Google issues access tokens for an hour. */
const TOKEN_MS = 50 * 60_000;

/** Sends to Android by FCM HTTP v1, with access tokens of a service account. */
export class FcmProvider implements PushProvider {
  readonly outcomeOf = fcmOutcome;
  readonly #token: RenewedToken;

  constructor(
    private readonly config: FcmConfig,
    private readonly client: OutboundClient,
  ) {
    const key = createPrivateKey(config.privateKey);
    this.#token = new RenewedToken(async () => {
      const assertion = await new SignJWT({ scope: SCOPE })
        .setProtectedHeader({ alg: 'RS256' })
        .setIssuer(config.clientEmail)
        .setAudience(config.tokenUrl)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(key);
      return this.#requestToken(assertion);
    }, TOKEN_MS);
  }

  post(target: PushAddress, message: PushMessage, signal?: AbortSignal): Promise<OutboundAnswer> {
    const { url, projectId } = this.config;
    const request = (token: string): Promise<OutboundAnswer> =>
      this.client.post(`${url}/v1/projects/${encodeURIComponent(projectId)}/messages:send`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: fcmBody(target, message),
        to: 'trusted',
        withinMs: PUSH_TIMEOUT_MS,
        signal,
      });
    return this.#token.post(message.now.getTime(), request, ({ status }) => status === 401);
  }

  /** Exchanges an assertion for an access token. @throws {OutboundError} if Google refuses */
  async #requestToken(assertion: string): Promise<string> {
    const { status, text } = await this.client.post(this.config.tokenUrl, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
      to: 'trusted',
      withinMs: PUSH_TIMEOUT_MS,
      readsSuccess: true,
    });
    const token = status === 200 ? (JSON.parse(text) as { access_token?: unknown }).access_token : undefined;
    // The response is not part of the error: it may contain a token.
    if (typeof token !== 'string') throw new OutboundError(`access_token_${status}`);
    return token;
  }
}
