import type { EntityManager } from 'typeorm';
import { type RawCount, type RawTimestamp, toCount, toDate } from '../../database/sql/dialect';

/** Figures of the deliveries to all endpoints. */
export interface WebhookFigures {
  pending: number;
  /** Earliest due time of the pending deliveries; null if there are none. */
  earliestDue: Date | null;
  /** Number of endpoints that the service has disabled. */
  disabled: number;
}

/** Reads the figures for the metrics, counted in the index on `due_at`. */
export async function readWebhookFigures(em: EntityManager): Promise<WebhookFigures> {
  const [row] = await em.query<{ pending: RawCount; earliest: RawTimestamp | null }[]>(
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
