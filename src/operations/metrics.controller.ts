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
import { Metrics, sharedFor } from '../common/metrics';
import { CONFIG, type Config } from '../config/config';
import { SendsHeaders } from '../openapi/answer-headers';
import { processMetrics } from './process-metrics';

/**
 * Serves Prometheus (contract 8). One rendering is shared by all requests for `METRICS_MAX_AGE_MS`: hundreds of kilobytes
 * take tens of milliseconds, and requests for them do not count. Without `METRICS_TOKEN` it is open to every client that
 * reaches the port (docs/operations.md).
 */
@ApiTags('Operations')
@Controller('metrics')
@Public()
export class MetricsController {
  readonly #token?: string;
  readonly #page: () => Promise<CachedResponse>;

  constructor(@Inject(CONFIG) config: Config, metrics: Metrics) {
    this.#token = config.metrics.token;
    this.#page = sharedFor(config.metrics.maxAgeMs, async () => {
      const parts = await Promise.all([metrics.registry.metrics(), processMetrics().metrics()]);
      return new CachedResponse(parts.join('\n'), Registry.PROMETHEUS_CONTENT_TYPE);
    });
  }

  @Get()
  @RawResponse()
  @ApiOperation({
    summary: 'What this instance does, for Prometheus; with METRICS_TOKEN it asks for that token',
  })
  @ApiProduces('text/plain')
  @ApiResponse({ status: 200, description: 'The text format of Prometheus', schema: { type: 'string' } })
  @ApiResponse({ status: 304, description: 'The rendering that the client has is the current one' })
  @SendsHeaders('ETag', 'Cache-Control')
  async getMetrics(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    if (this.#token !== undefined && !isSame(bearerOf(request) ?? '', this.#token))
      throw new BusinessError('UNAUTHORIZED', { reason: 'metrics token' });
    return (await this.#page()).answer(request, reply);
  }
}

/** Compares in constant time: hashes of any two texts have the same length. */
const isSame = (given: string, wanted: string): boolean => timingSafeEqual(sha256(given), sha256(wanted));

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
