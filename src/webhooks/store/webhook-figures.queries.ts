import type { EntityManager } from 'typeorm';
import { type RawCount, type RawMoment, toCount, toDate } from '../../database/dialect';

/** What is on its way to all back ends. */
export interface WebhookFigures {
  pending: number;
  /** When the delivery that has waited longest was to be tried; null where nothing is pending. */
  earliestDue: Date | null;
  /** Endpoints that the service has switched off. */
  disabled: number;
}

/** For the metrics: counted in the index of what is due. */
export async function readFigures(em: EntityManager): Promise<WebhookFigures> {
  const [row] = await em.query<{ pending: RawCount; earliest: RawMoment | null }[]>(
    `SELECT COUNT(*) AS pending, MIN(d.due_at) AS earliest
     FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id AND d.status = 'pending'
     WHERE e.deleted_at IS NULL`,
  );
  const [off] = await em.query<{ disabled: RawCount }[]>(
    'SELECT COUNT(*) AS disabled FROM webhook_endpoints WHERE disabled_reason IS NOT NULL AND deleted_at IS NULL',
  );
  return {
    pending: toCount(row?.pending),
    earliestDue: row?.earliest ? toDate(row.earliest) : null,
    disabled: toCount(off?.disabled),
  };
}
