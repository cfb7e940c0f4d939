import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type MetricValues, sumOf, totalsOf } from './worker-metrics.rules';

/** Returns the contribution of a worker that has counted this many requests. */
async function contributionOf(requests: number): Promise<MetricValues[]> {
  const registers = [new Registry()];
  new Counter({ name: 'requests_total', help: 'h', labelNames: ['route'], registers }).inc(
    { route: '/' },
    requests,
  );
  new Gauge({ name: 'streams', help: 'h', aggregator: 'sum', registers }).set(requests);
  const seconds = new Histogram({ name: 'seconds', help: 'h', buckets: [1], registers });
  for (let index = 0; index < requests; index += 1) seconds.observe(0.5);
  return Promise.all(registers.map((registry) => registry.getMetricsAsJSON()));
}

it('totalsOf() keeps the counters and histograms of ended workers, and no gauges', async () => {
  const one = totalsOf([await contributionOf(2)]);
  // The primary sends the values to a worker.
  const two = structuredClone(totalsOf([one, await contributionOf(3)]));
  expect(await sumOf([two, await contributionOf(4)]).metrics()).toBe(`# HELP requests_total h
# TYPE requests_total counter
requests_total{route="/"} 9

# HELP seconds h
# TYPE seconds histogram
seconds_bucket{le="1"} 9
seconds_bucket{le="+Inf"} 9
seconds_sum 4.5
seconds_count 9

# HELP streams h
# TYPE streams gauge
streams 4
`);
});
