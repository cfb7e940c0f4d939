import { Controller, Delete, Get, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/recording/audited.decorator';
import { KeyScope } from '../common/auth/api-keys/key-scope.decorator';
import { PathId } from '../common/input/path-id.decorator';
import { UsersService } from '../identity/users.service';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { PushHealthResponse, PushTargetsResponse, PushTestResponse } from './dto/push-responses.dto';
import { PushHealth } from './services/push-health';
import { PushTargetsService } from './services/push-targets.service';
import { PUSH_TEST_TIMEOUT_MS, PushTestsService } from './services/push-tests.service';

@ApiTags('Push')
@Controller('api/admin')
export class AdminPushController {
  constructor(
    private readonly targets: PushTargetsService,
    private readonly tests: PushTestsService,
    private readonly health: PushHealth,
    private readonly users: UsersService,
  ) {}

  @Get('push')
  @ApiOperation({ summary: 'Get the state of the push queue and the number of targets by kind' })
  @ApiEnvelope(PushHealthResponse)
  getPushHealth(): Promise<PushHealthResponse> {
    return this.health.describe();
  }

  @Get('users/:id/push-targets')
  @KeyScope('users:read')
  @ApiOperation({ summary: 'List a user’s push targets, ordered by id' })
  @ApiEnvelope(PushTargetsResponse, 'USER_NOT_FOUND')
  async listUserPushTargets(@PathId('id') id: number): Promise<PushTargetsResponse> {
    await this.users.get(id);
    return this.targets.list(id);
  }

  @Delete('push/targets/:id')
  @Audited('push_target.delete')
  @ApiOperation({ summary: 'Delete a push target of any user; its app registers it again at its next start' })
  @ApiEnvelope(null, 'PUSH_TARGET_NOT_FOUND')
  deleteUserPushTarget(@PathId('id') id: number): Promise<void> {
    return this.targets.removeOfAnyUser(id);
  }

  @Post('push/targets/:id/test')
  @Audited('push_target.test')
  @RouteConfig({ minTimeoutMs: PUSH_TEST_TIMEOUT_MS })
  @ApiOperation({ summary: 'Send a test push to a target of any user; at most 5 a minute' })
  @ApiEnvelope(PushTestResponse, 'PUSH_TARGET_NOT_FOUND')
  testUserPushTarget(@PathId('id') id: number): Promise<PushTestResponse> {
    return this.tests.test(id);
  }
}
