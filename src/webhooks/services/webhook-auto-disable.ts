import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordSystemAudit } from '../../audit/recording/record-audit';
import { Clock } from '../../common/clock';
import { Catalogues } from '../../common/i18n/catalogues';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import { NotificationsService } from '../../notifications/services/notifications.service';
import type { DisabledReason, WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { isFailing } from '../rules/endpoint-health.rules';
import { disableEndpoint, lockEndpoint } from '../store/endpoint.store';

/** Disables endpoints that fail permanently, and notifies every administrator (API 14.6). */
@Injectable()
export class WebhookAutoDisable {
  constructor(
    private readonly transactions: Transactions,
    private readonly notifications: NotificationsService,
    private readonly users: UsersService,
    private readonly languages: Catalogues,
    private readonly clock: Clock,
  ) {}

  /**
   * Disables an endpoint if it returned 410, or has failed for too long.
   * @param endpoint as the attempt read it: it is not disabled if its URL has changed since
   * @param isGone whether it returned 410
   */
  async evaluate(endpoint: WebhookEndpointEntity, isGone: boolean): Promise<void> {
    await this.transactions.run(async (em) => {
      const reason = isGone ? 'gone' : await this.#findFailure(em, endpoint.id);
      if (reason === undefined || !(await disableEndpoint(em, endpoint, reason))) return;
      recordSystemAudit(em, {
        action: 'webhook.update',
        object_id: endpoint.id,
        before: { status: 1, disabled_reason: null },
        after: { status: 0, disabled_reason: reason },
      });
      await this.#notifyAdministrators(em, endpoint, reason);
    });
  }

  async #findFailure(em: EntityManager, id: number): Promise<'failing' | undefined> {
    const current = await lockEndpoint(em, id);
    if (current === undefined) return undefined;
    const { failed_attempts, silent_since } = current;
    return isFailing(failed_attempts, silent_since, this.clock.now()) ? 'failing' : undefined;
  }

  /** Names only the host: the rest of the URL may contain secrets. */
  async #notifyAdministrators(
    em: EntityManager,
    { id, url }: WebhookEndpointEntity,
    reason: DisabledReason,
  ): Promise<void> {
    const administrators = await this.users.administratorIds(em);
    if (administrators.length === 0) return;
    const { catalogue } = this.languages;
    await this.notifications.notify(em, administrators, {
      type: 'webhook_disabled',
      critical: true,
      title: catalogue.messages.webhookDisabledTitle,
      content: catalogue.webhookDisabled({ host: new URL(url).host, isGone: reason === 'gone' }),
      data: { webhook_id: id, reason },
    });
  }
}
