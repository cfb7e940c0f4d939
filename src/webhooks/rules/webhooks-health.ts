import type { HealthReport } from '../../common/health/health';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';

/** So many failed attempts in a row, and a receiver is taken for down: one delivery has been tried for over two hours, or several for less. */
const MANY_FAILURES = 5;

type Endpoint = Pick<
  WebhookEndpointEntity,
  'id' | 'status' | 'disabled_reason' | 'failed_attempts' | 'last_success_at' | 'last_failure_at'
>;

/**
 * How the telling of back ends stands, by what has come of the attempts of all instances: down when the service has switched
 * an endpoint off, or nothing succeeds at one; off where there is none to tell (contract 14.5).
 */
export function webhooksHealth(endpoints: readonly Endpoint[]): HealthReport {
  const wanted = endpoints.filter(({ status, disabled_reason }) => status === 1 || disabled_reason !== null);
  const failed = wanted
    .filter(({ last_failure_at }) => last_failure_at !== null)
    .toSorted((a, b) => timeOf(b.last_failure_at) - timeOf(a.last_failure_at));
  const down = failed.filter(
    ({ disabled_reason, failed_attempts }) => disabled_reason !== null || failed_attempts >= MANY_FAILURES,
  );
  const [worst] = [...down, ...failed];
  return {
    status: wanted.length === 0 ? 'off' : down.length > 0 ? 'down' : 'up',
    lastSuccessAt: newestOf(wanted.map(({ last_success_at }) => last_success_at)),
    lastErrorAt: worst?.last_failure_at ?? null,
    lastError: worst ? troubleOf(worst) : null,
  };
}

const timeOf = (moment: Date | null): number => moment?.getTime() ?? 0;

const newestOf = (moments: readonly (Date | null)[]): Date | null =>
  moments.reduce((newest, moment) => (timeOf(moment) > timeOf(newest) ? moment : newest), null);

function troubleOf({ id, disabled_reason, failed_attempts }: Endpoint): string {
  if (disabled_reason !== null) return `Endpoint ${id} was switched off: ${disabled_reason}`;
  return failed_attempts > 0
    ? `Endpoint ${id}: ${failed_attempts} attempts in a row have failed`
    : `Endpoint ${id}: an attempt failed, and others have succeeded since`;
}
