import { randomUUID } from 'node:crypto';
import type { PushGatewayConfig } from '../../config/push-config';
import type { OutboundClient } from '../../outbound/outbound-client';
import { retryAfterMs } from '../../webhooks/rules/retry-schedule.rules';
import { signaturesOf } from '../../webhooks/rules/signatures.rules';
import { gatewayBody, gatewayOutcome } from '../rules/gateway.rules';
import type { PushAddress, PushMessage, PushOutcome } from '../rules/push-message.rules';
import { PUSH_TIMEOUT_MS, type PushProvider } from './push-provider';

/** Sends to the operator's gateway, which forwards to other providers. Signed as Standard Webhooks. */
export class GatewayProvider implements PushProvider {
  /** `whsec_` and base64, as libraries of Standard Webhooks expect it. */
  readonly #secret: string;

  constructor(
    private readonly config: PushGatewayConfig,
    private readonly client: OutboundClient,
  ) {
    this.#secret = `whsec_${Buffer.from(config.secret).toString('base64')}`;
  }

  async send(target: PushAddress, message: PushMessage, signal?: AbortSignal): Promise<PushOutcome> {
    const body = gatewayBody(target, message);
    const id = `msg_${randomUUID()}`;
    const seconds = Math.floor(message.now.getTime() / 1000);
    const response = await this.client.post(this.config.url, {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Callboard',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signaturesOf([this.#secret], { id, seconds, body }),
      },
      body,
      to: 'trusted',
      withinMs: PUSH_TIMEOUT_MS,
      signal,
    });
    return { ...gatewayOutcome(response), retryAfterMs: retryAfterMs(response.retryAfter, message.now) };
  }
}
