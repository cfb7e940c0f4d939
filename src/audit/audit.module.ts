import { Module } from '@nestjs/common';
import { AuditLogService } from './audit-log.service';
import { AuditMetrics } from './audit-metrics';
import { AuditRetention } from './audit-retention';
import { AuditController } from './audit.controller';

/** The audit log: who has done what, for administrators. What others note in it needs nothing but `noteAudit`. */
@Module({
  controllers: [AuditController],
  providers: [AuditLogService, AuditRetention, AuditMetrics],
})
export class AuditModule {}
