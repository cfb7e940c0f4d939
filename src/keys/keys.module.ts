import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyAuthenticator } from '../common/auth/api-keys/api-key';
import { ApiKeyEntity } from './entities/api-key.entity';
import { KeyRevocation } from './key-revocation';
import { KeyUses } from './key-uses';
import { KeyViews } from './key-views';
import { KeysController } from './keys.controller';
import { KeysService } from './keys.service';
import { ApiKeyCache } from './api-key-cache';

/** API keys of backends. Global because the guards of every route use it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ApiKeyEntity])],
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
