import { randomUUID } from 'node:crypto';
import type { PushGatewayConfig } from '../../config/push-config';
import type { OutboundAnswer, OutboundClient } from '../../outbound/outbound-client';
import { signedHeaders } from '../../webhooks/rules/signatures.rules';
import { gatewayBody, gatewayOutcome } from '../rules/gateway.rules';
import type { PushAddress, PushMessage } from '../rules/push-message.rules';
import { PUSH_TIMEOUT_MS, type PushProvider } from './push-provider';

/** Sends to the operator's gateway, which forwards to other providers. Signed as Standard Webhooks. */
export class GatewayProvider implements PushProvider {
  readonly outcomeOf = gatewayOutcome;
  /** `whsec_` and base64, as libraries of Standard Webhooks expect it. */
  readonly #secret: string;

  constructor(
    private readonly config: PushGatewayConfig,
    private readonly client: OutboundClient,
  ) {
    this.#secret = `whsec_${Buffer.from(config.secret).toString('base64')}`;
  }

  post(target: PushAddress, message: PushMessage, signal?: AbortSignal): Promise<OutboundAnswer> {
    const body = gatewayBody(target, message);
    return this.client.post(this.config.url, {
      headers: signedHeaders([this.#secret], { id: `msg_${randomUUID()}`, now: message.now, body }),
      body,
      to: 'trusted',
      withinMs: PUSH_TIMEOUT_MS,
      signal,
    });
  }
}
