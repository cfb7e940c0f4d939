import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Counter, Histogram } from 'prom-client';
import type { CallerRequest } from '../common/auth/caller';
import { Metrics } from '../common/metrics';

type Label = 'method' | 'route' | 'status';

/**
 * Measures the duration of each request by route, method and status. The route is the pattern, never the requested
 * path, so that clients cannot create new series. The status is that of the error, even if `HTTP_STATUS_MODE` hides it.
 */
@Injectable()
export class RequestMetrics {
  readonly #durations: Histogram<Label>;
  readonly #byKey: Counter<'key' | 'status'>;
  readonly #series = new Map<string, Histogram.Internal<Label>>();

  constructor(metrics: Metrics) {
    const help = 'Time from the arrival of a request to the end of its response';
    const labels = ['method', 'route', 'status'] as const;
    this.#durations = metrics.durations('callboard_http_request_seconds', help, [...labels]);
    this.#byKey = metrics.counter(
      'callboard_key_requests_total',
      'Requests with an API key, by the id of the key',
      ['key', 'status'],
    );
  }

  /** Starts measuring every request of a server. */
  watch(server: FastifyInstance): void {
    server.addHook('onResponse', (request, reply, done) => {
      this.#observe(request, reply);
      done();
    });
  }

  #observe(request: CallerRequest, reply: FastifyReply): void {
    const { config, url: route = 'none' } = request.routeOptions;
    const status = reply.errorStatus ?? reply.statusCode;
    // Only administrators create keys, so the number of these series is limited, too.
    if (request.apiKey) this.#byKey.inc({ key: request.apiKey.id, status });
    // A stream lasts as long as its client listens: open streams are counted by another metric, their duration is not
    // measured.
    if (config.longLived && status === 200) return;
    this.#seriesOf(request.method, route, status).observe(reply.elapsedTime / 1000);
  }

  /** Returns the series of these labels. The map avoids that prom-client sorts the labels for each request. */
  #seriesOf(method: string, route: string, status: number): Histogram.Internal<Label> {
    const name = `${method} ${status} ${route}`;
    const series = this.#series.get(name) ?? this.#durations.labels({ method, route, status });
    this.#series.set(name, series);
    return series;
  }
}
