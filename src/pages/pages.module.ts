import { type DynamicModule, Module } from '@nestjs/common';
import { ClientConfigController } from './client-config.controller';
import { ClientConfigService } from './client-config.service';

/** The configuration route of the web app; `serve-pages.ts` serves the files. */
@Module({ controllers: [ClientConfigController], providers: [ClientConfigService] })
export class PagesModule {
  /** @param demo the configured module of the demo data */
  static forRoot(demo: DynamicModule): DynamicModule {
    return { module: PagesModule, imports: [demo] };
  }
}
