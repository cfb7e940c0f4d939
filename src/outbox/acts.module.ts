import { Module } from '@nestjs/common';
import { Acts } from './acts';

/**
 * Imported by modules that record domain events. Dispatches nothing, so a script can record domain events that an
 * instance of the service dispatches later.
 */
@Module({ providers: [Acts], exports: [Acts] })
export class ActsModule {}
