import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { AttachmentsModule } from '../src/attachments/attachments.module';
import { Clock } from '../src/common/clock';
import { CommonModule } from '../src/common/common.module';
import type { Config } from '../src/config/config';
import { DatabaseModule } from '../src/database/database.module';
import { IdentityModule } from '../src/identity/identity.module';
import { RateLimitModule } from '../src/rate-limit/rate-limit.module';
import { RedisModule } from '../src/redis/redis.module';
import { Workers } from '../src/workers/workers';

/**
 * Root module of scripts that use services. Unlike `AppModule` it runs no periodic jobs and dispatches no pushes, webhooks
 * or domain events: a script has the configuration of a shell, which can differ from that of the instances.
 */
@Module({})
export class ScriptModule {
  static forRoot(
    config: Config,
    { imports = [], providers = [] }: Pick<ModuleMetadata, 'imports' | 'providers'> = {},
  ): DynamicModule {
    return {
      module: ScriptModule,
      imports: [
        CommonModule.forRoot(config, new Clock(), new Workers()),
        DatabaseModule.forRoot(config),
        RedisModule,
        RateLimitModule,
        AttachmentsModule.forRoot(config.attachments),
        IdentityModule,
        ...imports,
      ],
      providers,
    };
  }
}
