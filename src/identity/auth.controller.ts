import { Body, Controller, Get, Header, Post, Put, Req } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Audited } from '../audit/recording/audited.decorator';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { Public } from '../common/auth/public.decorator';
import type { WithHeaders } from '../common/http/with-headers';
import { SendsHeaders } from '../openapi/response-headers';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { type RequestAborted, IsAborted } from '../common/http/request-aborted.decorator';
import { AuthService, type TokensAnswer } from './auth.service';
import { CredentialsService } from './credentials.service';
import { ChangePasswordRequest, LoginRequest, RefreshTokenRequest } from './dto/auth.dto';
import { ChangeProfileRequest } from './dto/profile.dto';
import { MeResponse, OwnUserResponse, TokensResponse } from './dto/user-responses.dto';
import { OwnProfileService } from './own-profile.service';

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
  @ApiOperation({
    summary: 'Log in with account and password; returns an access token and a refresh token',
    description:
      'With `cookie` the refresh token is set as an `HttpOnly` cookie, for the web app of the service.',
  })
  @ApiEnvelope(TokensResponse, 'BAD_CREDENTIALS', 'FORBIDDEN')
  @SendsHeaders('Cache-Control', 'Set-Cookie')
  logIn(@Body() body: LoginRequest, @Req() request: FastifyRequest): Promise<TokensAnswer> {
    return this.auth.login(body, request);
  }

  @Post('refresh')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Exchange a refresh token for new tokens; reusing an old one ends the session',
    description:
      'Without `refresh_token` the login cookie is used, only for same-origin requests of the web app.',
  })
  @ApiEnvelope(TokensResponse, 'SESSION_OVER', 'FORBIDDEN')
  @SendsHeaders('Cache-Control', 'Set-Cookie')
  refreshTokens(
    @Body() body: RefreshTokenRequest,
    @Req() request: FastifyRequest,
    @IsAborted() isGivenUp: RequestAborted,
  ): Promise<TokensAnswer> {
    return this.auth.refresh(body, request, isGivenUp);
  }

  @Post('logout')
  @Public()
  @ApiOperation({
    summary: 'End the session of a refresh token',
    description:
      'Without `refresh_token` the login cookie is used and cleared, only for same-origin requests of the web app.',
  })
  @ApiEnvelope(null, 'FORBIDDEN')
  @SendsHeaders('Set-Cookie')
  logOut(
    @Body() body: RefreshTokenRequest,
    @Req() request: FastifyRequest,
  ): Promise<WithHeaders<null> | undefined> {
    return this.auth.logout(body, request);
  }

  @Get('me')
  @ApiOperation({ summary: 'Get the current user' })
  @ApiExtraModels(OwnUserResponse)
  @ApiEnvelope(MeResponse)
  getCurrentUser(@CurrentUser() user: Principal): Promise<MeResponse> {
    return this.auth.me(user);
  }

  @Put('me')
  @ApiOperation({ summary: 'Change the current user’s name, picture and visibility' })
  @ApiEnvelope(MeResponse, 'NOT_ALLOWED', 'ATTACHMENT_NOT_FOUND')
  changeProfile(@CurrentUser() user: Principal, @Body() body: ChangeProfileRequest): Promise<MeResponse> {
    return this.profiles.change(user, body);
  }

  @Put('password')
  @ApiOperation({ summary: 'Change the current user’s password; their other sessions end' })
  @ApiEnvelope(null)
  changeOwnPassword(@CurrentUser() user: Principal, @Body() body: ChangePasswordRequest): Promise<void> {
    return this.credentials.change(user, body);
  }
}
