import { Global, Module } from '@nestjs/common';
import { ApiKeyAuthenticator } from '../common/auth/api-keys/api-key';
import { KeyRevocation } from './key-revocation';
import { KeyUses } from './key-uses';
import { KeyViews } from './key-views';
import { KeysController } from './keys.controller';
import { KeysService } from './keys.service';
import { ApiKeyCache } from './api-key-cache';

/** API keys of backends. Global because the guards of every route use it. */
@Global()
@Module({
  controllers: [KeysController],
  providers: [
    KeyRevocation,
    KeysService,
    KeyUses,
    KeyViews,
    ApiKeyCache,
    { provide: ApiKeyAuthenticator, useExisting: ApiKeyCache },
  ],
  exports: [ApiKeyAuthenticator],
})
export class KeysModule {}
