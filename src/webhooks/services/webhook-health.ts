import { Injectable } from '@nestjs/common';
import { Health, OFF } from '../../common/health/health';
import { Transactions } from '../../database/transactions';
import { webhooksHealth } from '../rules/webhooks-health.rules';
import { allEndpoints } from '../store/endpoint.store';
import { WebhookSecrets } from './webhook-secrets';

/** Reports the health of webhook delivery to administrators (API 15.4). */
@Injectable()
export class WebhookHealth {
  constructor(health: Health, transactions: Transactions, secrets: WebhookSecrets) {
    // Without WEBHOOK_SECRET nothing can be signed, and all deliveries are held.
    health.register('webhooks', async () =>
      secrets.isConfigured ? webhooksHealth(await allEndpoints(transactions.read())) : OFF,
    );
  }
}
