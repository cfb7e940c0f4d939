import { type DynamicModule, Module } from '@nestjs/common';
import { ClientConfigController } from './client-config.controller';
import { ClientConfigService } from './client-config.service';

/** What the pages of the service are told of it before anybody has logged in; `serve-pages.ts` serves them. */
@Module({ controllers: [ClientConfigController], providers: [ClientConfigService] })
export class PagesModule {
  /** @param demo the module of the demo data as the service has it */
  static forRoot(demo: DynamicModule): DynamicModule {
    return { module: PagesModule, imports: [demo] };
  }
}
