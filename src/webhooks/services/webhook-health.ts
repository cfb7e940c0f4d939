import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Health, OFF } from '../../common/health/health';
import { webhooksHealth } from '../rules/webhooks-health.rules';
import { allEndpoints } from '../store/endpoint.store';
import { WebhookSecrets } from './webhook-secrets';

/** Reports the health of webhook delivery to administrators (contract 14.5). */
@Injectable()
export class WebhookHealth {
  constructor(health: Health, { manager }: DataSource, secrets: WebhookSecrets) {
    // Without WEBHOOK_SECRET nothing can be signed, and all deliveries are held.
    health.register('webhooks', async () =>
      secrets.areThere ? webhooksHealth(await allEndpoints(manager)) : OFF,
    );
  }
}
