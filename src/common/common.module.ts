import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AuthRefusals } from './auth/auth-refusals';
import { JwtStrategy } from './auth/jwt.strategy';
import { TokenVerifier } from './auth/token-verifier';
import { Clock } from './clock';
import { Health } from './health/health';
import { Metrics } from './metrics';
import { CallerShares } from './server/caller-shares';
import { Catalogues } from './i18n/catalogues';

/**
 * Global providers that every module uses: clock, token verification, request shares, metrics, health and localisation.
 */
@Global()
@Module({})
export class CommonModule {
  static forRoot(clock: Clock): DynamicModule {
    return {
      module: CommonModule,
      providers: [
        { provide: Clock, useValue: clock },
        AuthRefusals,
        CallerShares,
        TokenVerifier,
        JwtStrategy,
        Metrics,
        Health,
        Catalogues,
      ],
      exports: [AuthRefusals, CallerShares, Clock, TokenVerifier, JwtStrategy, Metrics, Health, Catalogues],
    };
  }
}
