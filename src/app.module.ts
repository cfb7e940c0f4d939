import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { AttachmentsModule } from './attachments/attachments.module';
import { AuditModule } from './audit/audit.module';
import { CallsModule } from './calls/calls.module';
import { AdminGuard } from './common/auth/admin.guard';
import { KeyGuard } from './common/auth/api-keys/key.guard';
import { JwtAuthGuard } from './common/auth/jwt-auth.guard';
import type { Clock } from './common/clock';
import { CommonModule } from './common/common.module';
import { EnvelopeFilter } from './common/errors/envelope.filter';
import { DtoPipe } from './common/input/dto.pipe';
import { EnvelopeInterceptor } from './common/http/envelope.interceptor';
import { UnknownRouteController } from './common/http/unknown-route.controller';
import { JobExplorer } from './common/jobs/job-explorer';
import type { Config } from './config/config';
import { DatabaseModule } from './database/database.module';
import { DemoModule } from './demo/demo.module';
import { DeviceGroupsModule } from './device-groups/device-groups.module';
import { EventsModule } from './events/events.module';
import { IdentityModule } from './identity/identity.module';
import { KeysModule } from './keys/keys.module';
import { MessagingModule } from './messaging/messaging.module';
import { NotificationsModule } from './notifications/notifications.module';
import { OperationsModule } from './operations/operations.module';
import { OutboxModule } from './outbox/outbox.module';
import { OutboundModule } from './outbound/outbound.module';
import { PagesModule } from './pages/pages.module';
import { PeopleModule } from './people/people.module';
import { PushModule } from './push/push.module';
import { PreferencesModule } from './preferences/preferences.module';
import { RateLimitModule } from './rate-limit/rate-limit.module';
import { RedisModule } from './redis/redis.module';
import { StatisticsModule } from './statistics/statistics.module';
import { WebhooksModule } from './webhooks/webhooks.module';
import { Workers } from './workers/workers';

/** Root module: all modules, the guards, pipe, interceptor and filter of every route, and the start of the jobs. */
@Module({})
export class AppModule {
  static forRoot(config: Config, clock: Clock, workers = new Workers()): DynamicModule {
    const calls = CallsModule.forRoot(config.media);
    const demo = DemoModule.forRoot(calls);
    return {
      module: AppModule,
      imports: [
        DiscoveryModule,
        CommonModule.forRoot(config, clock, workers),
        DatabaseModule.forRoot(config),
        OutboundModule,
        RedisModule,
        RateLimitModule,
        IdentityModule,
        KeysModule,
        AuditModule,
        AttachmentsModule.forRoot(config.attachments),
        OutboxModule,
        EventsModule,
        calls,
        DeviceGroupsModule,
        demo,
        OperationsModule,
        NotificationsModule,
        MessagingModule,
        PeopleModule,
        PreferencesModule,
        PagesModule.forRoot(demo),
        WebhooksModule,
        PushModule,
        StatisticsModule,
      ],
      controllers: [UnknownRouteController],
      providers: [
        JobExplorer,
        { provide: APP_GUARD, useClass: JwtAuthGuard },
        { provide: APP_GUARD, useClass: KeyGuard },
        { provide: APP_GUARD, useClass: AdminGuard },
        { provide: APP_PIPE, useClass: DtoPipe },
        { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
        { provide: APP_FILTER, useClass: EnvelopeFilter },
      ],
    };
  }
}
