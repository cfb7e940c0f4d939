import { Module } from '@nestjs/common';
import { Acts } from './acts';

/** What modules that cause acts import. It does nothing by itself, so a script can record acts and leave them there. */
@Module({ providers: [Acts], exports: [Acts] })
export class ActsModule {}
