import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Admission } from '../common/auth/principal';
import { UserEntity } from './entities/user.entity';
import { UsersService } from './users.service';

/** Users, and their way in. Global because the guards of every route ask it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([UserEntity])],
  providers: [UsersService, { provide: Admission, useExisting: UsersService }],
  exports: [UsersService, Admission],
})
export class IdentityModule {}
