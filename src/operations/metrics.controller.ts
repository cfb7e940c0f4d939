import { createHash, timingSafeEqual } from 'node:crypto';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import { bearerOf } from '../common/auth/bearer';
import { Public } from '../common/auth/public.decorator';
import { BusinessError } from '../common/errors/business-error';
import { CachedResponse } from '../common/http/cached-response';
import { RawResponse } from '../common/http/response.decorators';
import { cacheLoad } from '../common/concurrency/cache-load';
import { Metrics } from '../common/metrics';
import { CONFIG, type Config } from '../config/config';
import { Workers } from '../workers/workers';
import { SendsHeaders } from '../openapi/response-headers';
import { processMetrics } from './process-metrics';
import { METRICS, type MetricValues, sumOf } from './rules/worker-metrics.rules';

/**
 * Serves the metrics to Prometheus (API 16.1), those of all workers together. All requests share one rendering for `METRICS_MAX_AGE_MS`, because
 * hundreds of kilobytes take tens of milliseconds and these requests are not rate-limited. Without `METRICS_TOKEN` the
 * route is open to every client that reaches the port (docs/operations.md).
 */
@ApiTags('Operations')
@Controller('metrics')
@Public()
export class MetricsController {
  readonly #token?: string;
  readonly #rendering: () => Promise<CachedResponse>;

  constructor(@Inject(CONFIG) config: Config, metrics: Metrics, workers: Workers) {
    this.#token = config.metrics.token;
    const registries = [metrics.registry, processMetrics()];
    workers.contribute(METRICS, () => Promise.all(registries.map((registry) => registry.getMetricsAsJSON())));
    const render = async (): Promise<string> => {
      if (workers.areUsed) return sumOf(await workers.collect<MetricValues[]>(METRICS)).metrics();
      return (await Promise.all(registries.map((registry) => registry.metrics()))).join('\n');
    };
    this.#rendering = cacheLoad(
      async () => new CachedResponse(await render(), Registry.PROMETHEUS_CONTENT_TYPE),
      () => config.metrics.maxAgeMs,
    );
  }

  @Get()
  @RawResponse()
  @ApiOperation({
    summary: 'Metrics of this instance for Prometheus; requires METRICS_TOKEN as bearer token, if it is set',
  })
  @ApiProduces('text/plain')
  @ApiResponse({
    status: 200,
    description: 'Metrics in the text format of Prometheus',
    schema: { type: 'string' },
  })
  @ApiResponse({ status: 304, description: 'The rendering of the client is the current one' })
  @SendsHeaders('ETag', 'Cache-Control')
  async getMetrics(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    if (this.#token !== undefined && !isSame(bearerOf(request) ?? '', this.#token))
      throw new BusinessError('UNAUTHORIZED', { reason: 'metrics token' });
    return (await this.#rendering()).answer(request, reply);
  }
}

/** Compares in constant time. Hashing gives both texts the same length, which `timingSafeEqual` requires. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(sha256(given), sha256(expected));

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
