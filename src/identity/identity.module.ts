import { Global, Module } from '@nestjs/common';
import { Authenticator } from '../common/auth/principal';
import { AccessTokens } from './tokens/access-tokens';
import { AccountsService } from './accounts.service';
import { AdminUsersController } from './admin-users.controller';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { CredentialsService } from './credentials.service';
import { DomainEventsModule } from '../outbox/domain-events.module';
import { OwnProfileService } from './own-profile.service';
import { PasswordAttempts } from './password-attempts';
import { Passwords } from './passwords';
import { OwnSessionsController } from './sessions/own-sessions.controller';
import { UserSessionsService } from './sessions/user-sessions.service';
import { AdminSessionsController } from './sessions/admin-sessions.controller';
import { SessionRetention } from './sessions/session-retention.job';
import { SessionsService } from './sessions/sessions.service';
import { UserProvisioning } from './tokens/subject-users';
import { TokenAuthenticator } from './tokens/token-authenticator';
import { UserUpsertsController } from './bulk/user-upserts.controller';
import { UserUpsertsService } from './bulk/user-upserts.service';
import { UserChanges } from './user-changes';
import { UserPresence } from './listing/user-presence';
import { UsersListService } from './listing/users-list.service';
import { UsersService } from './users.service';

/** Users, authentication and sessions. Global because the guards of every route use it. */
@Global()
@Module({
  imports: [DomainEventsModule],
  controllers: [
    AuthController,
    OwnSessionsController,
    AdminUsersController,
    AdminSessionsController,
    UserUpsertsController,
  ],
  providers: [
    AccessTokens,
    AccountsService,
    AuthService,
    CredentialsService,
    OwnProfileService,
    PasswordAttempts,
    Passwords,
    SessionRetention,
    SessionsService,
    UserProvisioning,
    TokenAuthenticator,
    UserChanges,
    UserPresence,
    UserSessionsService,
    UserUpsertsService,
    UsersListService,
    UsersService,
    { provide: Authenticator, useExisting: TokenAuthenticator },
  ],
  exports: [
    AccountsService,
    Authenticator,
    AuthService,
    CredentialsService,
    SessionsService,
    UserChanges,
    UserPresence,
    UsersService,
  ],
})
export class IdentityModule {}
