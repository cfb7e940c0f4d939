import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Registry } from 'prom-client';
import { Public } from '../common/auth/public.decorator';
import { RawResponse } from '../common/http/response.decorators';
import { Metrics } from '../common/metrics';
import { processMetrics } from './process-metrics';

/** For Prometheus (contract 8). It asks for no token: keep it inside (docs/operations.md). */
@ApiTags('Operations')
@Controller('metrics')
@Public()
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @RawResponse()
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  @ApiOperation({ summary: 'What this instance does, for Prometheus' })
  @ApiProduces('text/plain')
  @ApiResponse({ status: 200, description: 'The text format of Prometheus', schema: { type: 'string' } })
  async getMetrics(): Promise<string> {
    const parts = await Promise.all([this.metrics.registry.metrics(), processMetrics().metrics()]);
    return parts.join('\n');
  }
}
