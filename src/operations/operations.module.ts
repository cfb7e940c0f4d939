import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { MetricsController } from './metrics.controller';
import { Readiness } from './readiness';
import { RequestMetrics } from './request-metrics';

/** What operators and orchestrators ask. */
@Module({
  controllers: [HealthController, MetricsController],
  providers: [Readiness, RequestMetrics],
})
export class OperationsModule {}
