import { Module } from '@nestjs/common';
import { AuditLogService } from './audit-log.service';
import { AuditMetrics } from './audit.metrics';
import { AuditRetention } from './audit-retention.job';
import { AuditController } from './audit.controller';

/**
 * The audit log for administrators. Other modules write to it through the function `recordAudit` and need no provider of
 * this module.
 */
@Module({
  controllers: [AuditController],
  providers: [AuditLogService, AuditRetention, AuditMetrics],
})
export class AuditModule {}
