import { Global, Module } from '@nestjs/common';
import { RedisConnection } from './redis-connection';

/** Redis for modules that share state between instances. Optional at run time. */
@Global()
@Module({ providers: [RedisConnection], exports: [RedisConnection] })
export class RedisModule {}
