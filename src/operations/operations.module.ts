import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { Readiness } from './readiness';

/** What operators and orchestrators ask. */
@Module({ controllers: [HealthController], providers: [Readiness] })
export class OperationsModule {}
