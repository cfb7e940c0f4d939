import { Body, Controller, Get, Header, Post, Put } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/trail/audited.decorator';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { Public } from '../common/auth/public.decorator';
import { SendsHeaders } from '../openapi/answer-headers';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { type GivenUp, IsGivenUp } from '../common/http/given-up.decorator';
import { AuthService } from './auth.service';
import { CredentialsService } from './credentials.service';
import { ChangePasswordRequest, LoginRequest, RefreshTokenRequest } from './dto/auth.dto';
import { ChangeProfileRequest } from './dto/profile.dto';
import { MeResponse, OwnUserResponse, TokensResponse } from './dto/user-responses.dto';
import { OwnProfileService } from './own-profile.service';
import { FromClient, type SessionClient } from './sessions/session-client';

@ApiTags('Identity')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly credentials: CredentialsService,
    private readonly profiles: OwnProfileService,
  ) {}

  @Post('login')
  @Audited('log_in.success')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Log in: an access token and a refresh token for an account and its password' })
  @ApiEnvelope(TokensResponse, 'BAD_CREDENTIALS')
  @SendsHeaders('Cache-Control')
  logIn(@Body() body: LoginRequest, @FromClient() client: SessionClient): Promise<TokensResponse> {
    return this.auth.login(body, client);
  }

  @Post('refresh')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Exchange a refresh token for new tokens; presenting a used one ends the session',
  })
  @ApiEnvelope(TokensResponse, 'SESSION_OVER')
  @SendsHeaders('Cache-Control')
  refreshTokens(
    @Body() body: RefreshTokenRequest,
    @FromClient() client: SessionClient,
    @IsGivenUp() isGivenUp: GivenUp,
  ): Promise<TokensResponse> {
    return this.auth.refresh(body.refresh_token, client, isGivenUp);
  }

  @Post('logout')
  @Public()
  @ApiOperation({ summary: 'End the session of a refresh token' })
  @ApiEnvelope(null)
  logOut(@Body() body: RefreshTokenRequest): Promise<void> {
    return this.auth.logout(body.refresh_token);
  }

  @Get('me')
  @ApiOperation({ summary: 'The current user' })
  @ApiExtraModels(OwnUserResponse)
  @ApiEnvelope(MeResponse)
  getCurrentUser(@CurrentUser() user: Principal): Promise<MeResponse> {
    return this.auth.me(user);
  }

  @Put('me')
  @ApiOperation({ summary: 'Change one’s own name and picture, and what others see of one' })
  @ApiEnvelope(MeResponse, 'NOT_ALLOWED')
  changeProfile(@CurrentUser() user: Principal, @Body() body: ChangeProfileRequest): Promise<MeResponse> {
    return this.profiles.change(user, body);
  }

  @Put('password')
  @ApiOperation({ summary: 'Change one’s own password; one’s other sessions end' })
  @ApiEnvelope(null)
  changeOwnPassword(@CurrentUser() user: Principal, @Body() body: ChangePasswordRequest): Promise<void> {
    return this.credentials.change(user, body);
  }
}
