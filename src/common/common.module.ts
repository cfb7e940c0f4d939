import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { Workers } from '../workers/workers';
import { AuthRefusals } from './auth/auth-refusals';
import { JwtStrategy } from './auth/jwt.strategy';
import { TokenVerifier } from './auth/token-verifier';
import { Clock } from './clock';
import { Health } from './health/health';
import { Metrics } from './metrics';
import { CallerShares } from './server/caller-shares';
import { Catalogues } from './i18n/catalogues';

/**
 * Global providers that every module uses: configuration, clock, workers of the process, token verification, request
 * shares, metrics, health and localisation.
 */
@Global()
@Module({})
export class CommonModule {
  static forRoot(config: Config, clock: Clock, workers: Workers): DynamicModule {
    const services = [AuthRefusals, CallerShares, TokenVerifier, JwtStrategy, Metrics, Health, Catalogues];
    return {
      module: CommonModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Clock, useValue: clock },
        { provide: Workers, useValue: workers },
        ...services,
      ],
      exports: [CONFIG, Clock, Workers, ...services],
    };
  }
}
