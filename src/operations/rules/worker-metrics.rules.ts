import { AggregatorRegistry, type Registry } from 'prom-client';

/** Values of one registry. */
export type MetricValues = Omit<Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number], 'collect'>[];

/** Name of the contribution of each worker: the values of its registries. */
export const METRICS = 'metrics';

/** Types of metrics that only increase. */
const TOTALS = new Set(['counter', 'histogram']);

/** Returns the metrics of all workers as those of one instance. */
export const sumOf = (workers: MetricValues[][]): Registry => AggregatorRegistry.aggregate(workers.flat());

/**
 * Returns the sums of the counters and histograms of ended workers. Without them, the sums of the instance would fall,
 * which Prometheus takes for a restart: it would add all of the remaining counts to the rates.
 */
export const totalsOf = (ended: MetricValues[][]): MetricValues[] => {
  const sums = sumOf(ended).getMetricsAsArray() as unknown as MetricValues;
  return [
    sums
      .filter(({ type }) => TOTALS.has(String(type)))
      .map(({ name, help, type, values, aggregator }) => ({ name, help, type, values, aggregator })),
  ];
};
