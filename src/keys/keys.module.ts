import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KeyAdmission } from '../common/auth/api-keys/api-key';
import { ApiKeyEntity } from './entities/api-key.entity';
import { KeyRevocation } from './key-revocation';
import { KeyUses } from './key-uses';
import { KeyViews } from './key-views';
import { KeysController } from './keys.controller';
import { KeysService } from './keys.service';
import { KnownKeys } from './known-keys';

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
    KnownKeys,
    { provide: KeyAdmission, useExisting: KnownKeys },
  ],
  exports: [KeyAdmission],
})
export class KeysModule {}
