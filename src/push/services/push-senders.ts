import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config';
import { OutboundClient } from '../../outbound/outbound-client';
import { OutboundError } from '../../outbound/outbound-error';
import { retryAfterMs } from '../../webhooks/rules/retry-schedule.rules';
import type { PushKind } from '../entities/push-target.entity';
import { ApnsProvider } from '../providers/apns-provider';
import { FcmProvider } from '../providers/fcm-provider';
import { GatewayProvider } from '../providers/gateway-provider';
import type { PushProvider } from '../providers/push-provider';
import { WebPushProvider } from '../providers/web-push-provider';
import type { PushAddress, PushMessage, PushOutcome } from '../rules/push-message.rules';

/** Sends pushes by the provider of their target. */
@Injectable()
export class PushSenders {
  readonly #providers: Partial<Record<PushKind, PushProvider>>;

  constructor(@Inject(CONFIG) { push }: Config, client: OutboundClient) {
    const apns = push.apns && new ApnsProvider(push.apns, client);
    this.#providers = {
      apns,
      apns_voip: apns,
      fcm: push.fcm && new FcmProvider(push.fcm, client),
      webpush: push.vapid && new WebPushProvider(push.vapid, client),
      gateway: push.gateway && new GatewayProvider(push.gateway, client),
    };
  }

  /** Makes one attempt. Returns failures in the result and never throws. @param signal aborts it */
  async send(target: PushAddress, message: PushMessage, signal?: AbortSignal): Promise<PushOutcome> {
    const provider = this.#providers[target.kind];
    if (provider === undefined) return { result: 'dropped', reason: 'not_configured' };
    try {
      const response = await provider.post(target, message, signal);
      const waitMs = retryAfterMs(response.retryAfter, message.now);
      return { ...provider.outcomeOf(response, target), retryAfterMs: waitMs };
    } catch (error) {
      // The address may have been allowed when the target was registered.
      const isRefused = error instanceof OutboundError && error.failure === 'address_not_allowed';
      const reason = error instanceof OutboundError ? error.failure.slice(0, 100) : 'failed';
      return { result: isRefused ? 'rejected' : 'retry', reason };
    }
  }
}
