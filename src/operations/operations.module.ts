import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HealthController } from './health.controller';
import { MetricsController } from './metrics.controller';
import { Readiness } from './readiness';
import { RequestMetrics } from './request-metrics';
import { SystemController } from './system.controller';
import { SystemHealthService } from './system-health.service';

/** Health, metrics and configuration for operators, administrators and orchestrators. */
@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController, MetricsController, SystemController],
  providers: [Readiness, RequestMetrics, SystemHealthService],
})
export class OperationsModule {}
