import { type DynamicModule, Global, Module } from '@nestjs/common';
import { JwtStrategy } from './auth/jwt.strategy';
import { TokenVerifier } from './auth/token-verifier';
import { Clock } from './clock';

/** What every module leans on: the clock and the reading of tokens. */
@Global()
@Module({})
export class CommonModule {
  static forRoot(clock: Clock): DynamicModule {
    return {
      module: CommonModule,
      providers: [{ provide: Clock, useValue: clock }, TokenVerifier, JwtStrategy],
      exports: [Clock, TokenVerifier, JwtStrategy],
    };
  }
}
