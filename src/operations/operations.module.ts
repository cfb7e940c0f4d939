import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { MetricsController } from './metrics.controller';
import { Readiness } from './readiness';
import { RequestMetrics } from './request-metrics';
import { WelcomeController } from './welcome.controller';

/** What operators and orchestrators ask. */
@Module({
  controllers: [HealthController, MetricsController, WelcomeController],
  providers: [Readiness, RequestMetrics],
})
export class OperationsModule {}
