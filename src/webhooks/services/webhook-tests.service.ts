import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { recordAudit } from '../../audit/recording/record-audit';
import { Clock, plusSeconds } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import { currentTrace } from '../../common/tracing/current-trace';
import { Transactions } from '../../database/transactions';
import { newEventId } from '../../outbox/outbox-event';
import type { WebhookTestResponse } from '../dto/webhook-responses.dto';
import { afterAttempt } from '../rules/attempt.rules';
import { bodyOf } from '../rules/event-body.rules';
import { TEST_TYPE } from '../rules/event-types.rules';
import { lockClaimed, insertBodies, insertDeliveries, recordAttempts } from '../store/delivery.store';
import { endpointById, noteAttempts } from '../store/endpoint.store';
import { WebhookAttempts } from './webhook-attempts';
import { WebhookSecrets } from './webhook-secrets';

const LEASE_SECONDS = 30;

/**
 * Sends a test to an endpoint immediately and once, even if it is disabled (API 14.2). It is listed as a delivery.
 */
@Injectable()
export class WebhookTestsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly attempts: WebhookAttempts,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a test and returns its result. A test that is delivered counts as a success of the endpoint: it reaches the
   * same receiver as an event. A test that fails does not count as a failure, so it never disables an endpoint.
   * @throws {BusinessError} WEBHOOK_NOT_FOUND, UNAVAILABLE: WEBHOOK_SECRET is not set
   */
  async test(endpointId: number): Promise<WebhookTestResponse> {
    const test = await this.#createClaimed(endpointId);
    const attempt = await this.attempts.make(test.endpoint, test);
    const { ok, statusCode, error, ms } = attempt;
    const now = this.clock.now();
    // A test is attempted once, so no wait follows.
    const row = { ...afterAttempt(attempt, { attempts: Infinity, now, chance: 0 }), attempts: 1 };
    await this.transactions.run(async (em) => {
      const lockedIds = await lockClaimed(em, [test]);
      if (!lockedIds.has(test.id)) return;
      await recordAttempts(em, [{ id: test.id, ...row }]);
      if (ok) await noteAttempts(em, endpointId, { succeeded: 1, failed: 0 }, now);
    });
    return { ok, status_code: statusCode, ms, error };
  }

  /**
   * Creates the delivery with a claim. If this instance crashes, another one attempts it as a normal delivery after 30
   * s.
   */
  #createClaimed(endpointId: number) {
    return this.transactions.run(async (em) => {
      const endpoint = await endpointById(em, endpointId);
      if (!this.secrets.isConfigured) throw new BusinessError('UNAVAILABLE');
      const [eventId, claim] = [newEventId(), randomUUID()];
      const now = this.clock.now();
      const event = {
        id: eventId,
        type: TEST_TYPE,
        at: now,
        data: JSON.stringify({ webhook_id: endpointId }),
      };
      const body = bodyOf(event, { version: endpoint.version, withContent: false });
      const traceparent = currentTrace() ?? null;
      const [body_id = 0] = await insertBodies(em, [{ body, traceparent }], now);
      const id = await insertDeliveries(em, [
        {
          endpoint_id: endpointId,
          event_id: eventId,
          event_type: TEST_TYPE,
          body_id,
          status: 'pending',
          due_at: plusSeconds(now, LEASE_SECONDS),
          claim,
          created_at: now,
        },
      ]);
      recordAudit(em, { object_id: endpointId, before: null, after: { delivery_id: id } });
      return { endpoint, eventId, body, traceparent, id, claim };
    });
  }
}
