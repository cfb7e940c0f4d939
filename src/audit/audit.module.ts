import { Module } from '@nestjs/common';

/** The audit log: who has done what, for administrators. What others note in it needs nothing but `noteAudit`. */
@Module({})
export class AuditModule {}
