import { type DynamicModule, Global, Module } from '@nestjs/common';
import { JwtStrategy } from './auth/jwt.strategy';
import { TokenVerifier } from './auth/token-verifier';
import { Clock } from './clock';
import { Metrics } from './metrics';

/** What every module leans on: the clock, the reading of tokens and metrics. */
@Global()
@Module({})
export class CommonModule {
  static forRoot(clock: Clock): DynamicModule {
    return {
      module: CommonModule,
      providers: [{ provide: Clock, useValue: clock }, TokenVerifier, JwtStrategy, Metrics],
      exports: [Clock, TokenVerifier, JwtStrategy, Metrics],
    };
  }
}
