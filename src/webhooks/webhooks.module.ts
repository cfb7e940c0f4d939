import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module';
import { OutboxModule } from '../outbox/outbox.module';
import { WebhookAttempts } from './services/webhook-attempts';
import { WebhookDispatcher } from './services/webhook-dispatcher';
import { WebhookDeliveriesService } from './services/webhook-deliveries.service';
import { WebhookHealth } from './services/webhook-health';
import { WebhookHolding } from './services/webhook-holding';
import { WebhookMetrics } from './services/webhook.metrics';
import { WebhookResults } from './services/webhook-results';
import { WebhookRetention } from './services/webhook-retention.job';
import { WebhookRouting } from './services/webhook-routing';
import { WebhookSecrets } from './services/webhook-secrets';
import { WebhookAutoDisable } from './services/webhook-auto-disable';
import { WebhookTestsService } from './services/webhook-tests.service';
import { WebhooksService } from './services/webhooks.service';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhooksController } from './webhooks.controller';

/** Webhooks: the endpoints of integrations, and the delivery of domain events to them. */
@Module({
  imports: [NotificationsModule, OutboxModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    WebhooksService,
    WebhookDeliveriesService,
    WebhookTestsService,
    WebhookSecrets,
    WebhookRouting,
    WebhookDispatcher,
    WebhookAttempts,
    WebhookResults,
    WebhookAutoDisable,
    WebhookHolding,
    WebhookRetention,
    WebhookMetrics,
    WebhookHealth,
  ],
})
export class WebhooksModule {}
