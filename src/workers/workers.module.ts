import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Workers } from './workers';

/** Provides the `Workers` of the process. */
@Global()
@Module({})
export class WorkersModule {
  static forRoot(workers: Workers): DynamicModule {
    return {
      module: WorkersModule,
      providers: [{ provide: Workers, useValue: workers }],
      exports: [Workers],
    };
  }
}
