import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Counter, Histogram } from 'prom-client';
import type { CallerRequest } from '../common/auth/caller';
import { Metrics } from '../common/metrics';

type Label = 'method' | 'route' | 'status';

/**
 * Times each request by route, method and status. The route is the pattern, never the path as it was asked for, so
 * that nobody can make up new series; the status is that of the error also where `HTTP_STATUS_MODE` hides it.
 */
@Injectable()
export class RequestMetrics {
  readonly #durations: Histogram<Label>;
  readonly #byKey: Counter<'key' | 'status'>;
  readonly #series = new Map<string, Histogram.Internal<Label>>();

  constructor(metrics: Metrics) {
    const help = 'Time from the arrival of a request to the end of its answer';
    const labels = ['method', 'route', 'status'] as const;
    this.#durations = metrics.durations('callboard_http_request_seconds', help, [...labels]);
    this.#byKey = metrics.counter(
      'callboard_key_requests_total',
      'Requests of back ends, by the id of their key',
      ['key', 'status'],
    );
  }

  /** Times every request of a server from now on. */
  watch(server: FastifyInstance): void {
    server.addHook('onResponse', (request, reply, done) => {
      this.#observe(request, reply);
      done();
    });
  }

  #observe(request: CallerRequest, reply: FastifyReply): void {
    const { config, url: route = 'none' } = request.routeOptions;
    const status = reply.errorStatus ?? reply.statusCode;
    // Administrators make keys, so these series are few too.
    if (request.apiKey) this.#byKey.inc({ key: request.apiKey.id, status });
    // It lasted as long as somebody listened: such are counted as open, not timed.
    if (config.longLived && status === 200) return;
    this.#seriesOf(request.method, route, status).observe(reply.elapsedTime / 1000);
  }

  /** The series of these labels, found without the work of putting labels in order for each request. */
  #seriesOf(method: string, route: string, status: number): Histogram.Internal<Label> {
    const name = `${method} ${status} ${route}`;
    const known = this.#series.get(name) ?? this.#durations.labels({ method, route, status });
    this.#series.set(name, known);
    return known;
  }
}
