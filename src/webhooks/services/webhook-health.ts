import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Health, OFF } from '../../common/health/health';
import { webhooksHealth } from '../rules/webhooks-health';
import { allEndpoints } from '../store/endpoint-rows';
import { WebhookSecrets } from './webhook-secrets';

/** Tells administrators whether back ends hear of what happens (contract 14.5). */
@Injectable()
export class WebhookHealth {
  constructor(health: Health, { manager }: DataSource, secrets: WebhookSecrets) {
    // Without WEBHOOK_SECRET nothing can be signed, and everything waits.
    health.register('webhooks', async () =>
      secrets.areThere ? webhooksHealth(await allEndpoints(manager)) : OFF,
    );
  }
}
