import { Body, Controller, Delete, Get, Header, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/recording/audited.decorator';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/input/path-id.decorator';
import { Idempotent, type IdempotencyRecord } from '../database/idempotency/idempotency-record';
import { SendsHeaders } from '../openapi/response-headers';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import {
  ApiKeyResponse,
  ChangeKeyRequest,
  CreatedApiKeyResponse,
  CreateKeyRequest,
  ListKeysQuery,
  RevokeKeyRequest,
} from './dto/keys.dto';
import { KeyRevocation } from './key-revocation';
import { KeyViews } from './key-views';
import { KeysService } from './keys.service';

/** Not accessible with API keys: a key must not create or list keys. */
@ApiTags('Keys')
@Controller('api/admin/keys')
export class KeysController {
  constructor(
    private readonly keys: KeysService,
    private readonly views: KeyViews,
    private readonly revocation: KeyRevocation,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the API keys of backends, sorted by id' })
  @ApiEnvelope({ page: ItemsPage, of: ApiKeyResponse })
  listKeys(@Query() query: ListKeysQuery): Promise<ItemsPage<ApiKeyResponse>> {
    return this.views.list(query);
  }

  @Post()
  @Audited('key.create')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Create an API key for a backend; only this response contains the key itself' })
  @ApiEnvelope(CreatedApiKeyResponse, 'KEY_NOT_FOUND')
  @SendsHeaders('Cache-Control')
  createKey(
    @CurrentUser() user: Principal,
    @Body() body: CreateKeyRequest,
    @Idempotent() idempotency?: IdempotencyRecord,
  ): Promise<CreatedApiKeyResponse> {
    return this.keys.create(user, body, idempotency);
  }

  @Put(':id')
  @Audited('key.update')
  @ApiOperation({ summary: 'Change an API key; takes effect on all instances within ten seconds' })
  @ApiEnvelope(ApiKeyResponse, 'KEY_NOT_FOUND')
  changeKey(@PathId('id') id: number, @Body() body: ChangeKeyRequest): Promise<ApiKeyResponse> {
    return this.keys.change(id, body);
  }

  @Delete(':id')
  @Audited('key.delete')
  @ApiOperation({
    summary:
      'Revoke an API key and, by default, end the sessions that it opened; takes effect on all instances within ten seconds',
  })
  @ApiEnvelope(null, 'KEY_NOT_FOUND')
  revokeKey(@PathId('id') id: number, @Body() body: RevokeKeyRequest): Promise<void> {
    return this.revocation.revoke(id, { endSessions: body.end_sessions });
  }
}
