import type { SchemaObject } from '../../openapi/document-types';
import { TimestampField } from '../../openapi/response-fields';
import type { HealthReport, HealthStatus } from '../../common/health/health';

/** Health of a part of the service, or of a periodic job. */
export class HealthItemResponse {
  /**
   * Name of the part, or of the job of this instance.
   * @example "database"
   */
  name!: string;
  /**
   * `up`, `down`, or `off`: not used, because of the configuration or because it has nothing to do.
   * @example "up"
   */
  status!: HealthStatus;
  /**
   * Time of the last success that this instance knows of; null if there was none; ISO 8601 in UTC with milliseconds.
   */
  @TimestampField()
  last_success_at!: string | null;
  /**
   * Last error, possibly long ago, as a text for operators; null if there was none.
   * @example "Error: connect ECONNREFUSED 10.0.0.7:6379"
   */
  last_error!: string | null;
  /** Time of the last error; null if there was none; ISO 8601 in UTC with milliseconds. */
  @TimestampField()
  last_error_at!: string | null;
}

/** GET /api/admin/health (API 15.4). */
export class HealthResponse {
  /** The parts of the service, then the jobs of this instance, each by name. */
  items!: HealthItemResponse[];
}

/** GET /api/admin/config (API 15.4): one property per environment variable. */
export const CONFIG_SCHEMA: SchemaObject = {
  type: 'object',
  additionalProperties: { type: 'string', nullable: true },
  description:
    'Effective values by name of the environment variable, in the notation of the environment; `set` for a secret; null if not set',
  example: { PORT: '3000', PRESENCE: 'on', JWT_SECRET: 'set', REDIS_URL: null },
};

export const toHealthItemResponse = (
  name: string,
  { status, lastSuccessAt, lastError, lastErrorAt }: HealthReport,
): HealthItemResponse => ({
  name,
  status,
  last_success_at: lastSuccessAt?.toISOString() ?? null,
  last_error: lastError,
  last_error_at: lastErrorAt?.toISOString() ?? null,
});
