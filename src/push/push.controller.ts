import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { PathId } from '../common/input/path-id.decorator';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ConfirmPushRequest, RegisterPushTargetRequest } from './dto/push-requests.dto';
import {
  PushConfigResponse,
  PushTargetResponse,
  PushTargetsResponse,
  PushTestResponse,
} from './dto/push-responses.dto';
import { PushTargetsService } from './services/push-targets.service';
import { PUSH_TEST_TIMEOUT_MS, PushTestsService } from './services/push-tests.service';

@ApiTags('Push')
@Controller('api/push')
export class PushController {
  constructor(
    private readonly targets: PushTargetsService,
    private readonly tests: PushTestsService,
  ) {}

  @Get('config')
  @ApiOperation({ summary: 'Get what an app needs to register for pushes' })
  @ApiEnvelope(PushConfigResponse)
  getPushConfig(): PushConfigResponse {
    return this.targets.describeConfig();
  }

  @Get('targets')
  @ApiOperation({ summary: 'List the current user’s push targets, ordered by id' })
  @ApiEnvelope(PushTargetsResponse)
  listPushTargets(@CurrentUser() user: Principal): Promise<PushTargetsResponse> {
    return this.targets.list(user.id);
  }

  @Post('targets')
  @ApiOperation({ summary: 'Register this terminal for pushes, or renew it; apps do so at every start' })
  @ApiEnvelope(PushTargetResponse)
  registerPushTarget(
    @CurrentUser() user: Principal,
    @Body() body: RegisterPushTargetRequest,
  ): Promise<PushTargetResponse> {
    return this.targets.register(user, body);
  }

  @Delete('targets/:id')
  @ApiOperation({ summary: 'Delete a push target of the current user' })
  @ApiEnvelope(null, 'PUSH_TARGET_NOT_FOUND')
  deletePushTarget(@CurrentUser() user: Principal, @PathId('id') id: number): Promise<void> {
    return this.targets.remove(user.id, id);
  }

  @Post('targets/:id/test')
  @RouteConfig({ minTimeoutMs: PUSH_TEST_TIMEOUT_MS })
  @ApiOperation({ summary: 'Send a test push to a target of the current user; at most 5 a minute' })
  @ApiEnvelope(PushTestResponse, 'PUSH_TARGET_NOT_FOUND')
  testPushTarget(@CurrentUser() user: Principal, @PathId('id') id: number): Promise<PushTestResponse> {
    return this.tests.test(id, user.id);
  }

  @Post('receipts')
  @ApiOperation({ summary: 'Confirm the receipt of a push; a repeated confirmation is not counted' })
  @ApiEnvelope(null, 'PUSH_TARGET_NOT_FOUND')
  confirmPush(@CurrentUser() user: Principal, @Body() body: ConfirmPushRequest): Promise<void> {
    return this.targets.confirm(user.id, body);
  }
}
