import type { SchemaObject } from '../../openapi/document-types';
import { Moment } from '../../openapi/response-fields';
import type { HealthReport, HealthStatus } from '../../common/health/health';

/** How a part of the service, or something that it does by itself, stands. */
export class HealthItemResponse {
  /**
   * Which part it is, or which job of this instance.
   * @example "database"
   */
  name!: string;
  /**
   * `up`, `down`, or `off`: not used, by the configuration or because there is nothing for it to do.
   * @example "up"
   */
  status!: HealthStatus;
  /** When it last succeeded, as far as this instance knows; null where it has not; ISO 8601 in UTC with milliseconds. */
  @Moment()
  last_success_at!: string | null;
  /**
   * What went wrong last, perhaps long ago, in words for operators; null where nothing has.
   * @example "Error: connect ECONNREFUSED 10.0.0.7:6379"
   */
  last_error!: string | null;
  /** When that was; ISO 8601 in UTC with milliseconds. */
  @Moment()
  last_error_at!: string | null;
}

/** GET /api/admin/health (contract 14.5). */
export class HealthResponse {
  /** The parts of the service, then the jobs of this instance, each by name. */
  items!: HealthItemResponse[];
}

/** GET /api/admin/config (contract 14.5): which variables there are, the configuration says. */
export const CONFIG_SCHEMA: SchemaObject = {
  type: 'object',
  additionalProperties: { type: 'string', nullable: true },
  description:
    'By the names of the environment: the value in force, as it would be written there; `set` for a secret; null where nothing is set',
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
