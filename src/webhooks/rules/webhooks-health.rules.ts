import type { HealthReport } from '../../common/health/health';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';

/**
 * Consecutive failed attempts after which a receiver counts as down: one delivery retried for over two hours, or
 * several for less.
 */
const DOWN_AFTER_FAILURES = 5;

type Endpoint = Pick<
  WebhookEndpointEntity,
  'id' | 'status' | 'disabled_reason' | 'failed_attempts' | 'last_success_at' | 'last_failure_at'
>;

/**
 * Returns the health of webhook delivery, based on the attempts of all instances: `down` if the service disabled an
 * endpoint or the last attempts at one failed, `off` if there is no endpoint in use (API 15.4).
 */
export function webhooksHealth(endpoints: readonly Endpoint[]): HealthReport {
  const inUse = endpoints.filter(({ status, disabled_reason }) => status === 1 || disabled_reason !== null);
  const failed = inUse
    .filter(({ last_failure_at }) => last_failure_at !== null)
    .toSorted((a, b) => timeOf(b.last_failure_at) - timeOf(a.last_failure_at));
  const down = failed.filter(
    ({ disabled_reason, failed_attempts }) =>
      disabled_reason !== null || failed_attempts >= DOWN_AFTER_FAILURES,
  );
  const [worst] = [...down, ...failed];
  return {
    status: inUse.length === 0 ? 'off' : down.length > 0 ? 'down' : 'up',
    lastSuccessAt: newestOf(inUse.map(({ last_success_at }) => last_success_at)),
    lastErrorAt: worst?.last_failure_at ?? null,
    lastError: worst ? describeFailure(worst) : null,
  };
}

const timeOf = (date: Date | null): number => date?.getTime() ?? 0;

const newestOf = (dates: readonly (Date | null)[]): Date | null =>
  dates.reduce((newest, date) => (timeOf(date) > timeOf(newest) ? date : newest), null);

function describeFailure({ id, disabled_reason, failed_attempts }: Endpoint): string {
  if (disabled_reason !== null) return `Endpoint ${id} was switched off: ${disabled_reason}`;
  return failed_attempts > 0
    ? `Endpoint ${id}: ${failed_attempts} attempts in a row have failed`
    : `Endpoint ${id}: an attempt failed, and others have succeeded since`;
}
