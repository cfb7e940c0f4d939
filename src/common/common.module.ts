import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AuthRefusals } from './auth/auth-refusals';
import { JwtStrategy } from './auth/jwt.strategy';
import { TokenVerifier } from './auth/token-verifier';
import { Clock } from './clock';
import { Metrics } from './metrics';
import { Languages } from './words/languages';

/** What every module leans on: the clock, the reading of tokens, metrics and words. */
@Global()
@Module({})
export class CommonModule {
  static forRoot(clock: Clock): DynamicModule {
    return {
      module: CommonModule,
      providers: [
        { provide: Clock, useValue: clock },
        AuthRefusals,
        TokenVerifier,
        JwtStrategy,
        Metrics,
        Languages,
      ],
      exports: [AuthRefusals, Clock, TokenVerifier, JwtStrategy, Metrics, Languages],
    };
  }
}
