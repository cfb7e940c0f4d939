import { Global, Module } from '@nestjs/common';
import { RedisConnection } from './redis-connection';

/** Redis, for whoever shares something between instances; optional at run time. */
@Global()
@Module({ providers: [RedisConnection], exports: [RedisConnection] })
export class RedisModule {}
