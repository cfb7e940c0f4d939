import { Body, Controller, Get, Header, Post, Put } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { Public } from '../common/auth/public.decorator';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { type GivenUp, IsGivenUp } from '../common/http/given-up.decorator';
import { AuthService } from './auth.service';
import { CredentialsService } from './credentials.service';
import { ChangePasswordRequest, LoginRequest, RefreshTokenRequest } from './dto/auth.dto';
import { MeResponse, OwnUserResponse, TokensResponse } from './dto/user-responses.dto';
import { FromClient, type SessionClient } from './sessions/session-client';

@ApiTags('Identity')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly credentials: CredentialsService,
  ) {}

  @Post('login')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Log in: an access token and a refresh token for an account and its password' })
  @ApiEnvelope(TokensResponse, 'BAD_CREDENTIALS')
  login(@Body() body: LoginRequest, @FromClient() client: SessionClient): Promise<TokensResponse> {
    return this.auth.login(body, client);
  }

  @Post('refresh')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Exchange a refresh token for new tokens; presenting a used one ends the session',
  })
  @ApiEnvelope(TokensResponse, 'SESSION_OVER')
  refresh(
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
  logout(@Body() body: RefreshTokenRequest): Promise<void> {
    return this.auth.logout(body.refresh_token);
  }

  @Get('me')
  @ApiOperation({ summary: 'The current user' })
  @ApiExtraModels(OwnUserResponse)
  @ApiEnvelope(MeResponse)
  me(@CurrentUser() user: Principal): Promise<MeResponse> {
    return this.auth.me(user);
  }

  @Put('password')
  @ApiOperation({ summary: 'Change one’s own password; one’s other sessions end' })
  @ApiEnvelope(null)
  changePassword(@CurrentUser() user: Principal, @Body() body: ChangePasswordRequest): Promise<void> {
    return this.credentials.change(user, body);
  }
}
