import { Body, Controller, Delete, Get, Header, Post, Put, Query } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/recording/audited.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/input/path-id.decorator';
import { Idempotent, type IdempotencyRecord } from '../database/idempotency/idempotency-record';
import { SendsHeaders } from '../openapi/response-headers';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ChangeWebhookRequest, CreateWebhookRequest, ListWebhooksQuery } from './dto/webhook-requests.dto';
import {
  CreatedWebhookResponse,
  WebhookResponse,
  WebhookSecretResponse,
  WebhookTestResponse,
} from './dto/webhook-responses.dto';
import { WebhookTestsService } from './services/webhook-tests.service';
import { WebhooksService } from './services/webhooks.service';

/** 15 s for the response of the receiver, and 5 s for the database. */
const TEST_TIMEOUT_MS = 20_000;

@ApiTags('Webhooks')
@Controller('api/admin/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly tests: WebhookTestsService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the endpoints, ordered by id' })
  @ApiEnvelope({ page: ItemsPage, of: WebhookResponse })
  listWebhooks(@Query() query: ListWebhooksQuery): Promise<ItemsPage<WebhookResponse>> {
    return this.webhooks.list(query);
  }

  @Post()
  @Audited('webhook.create')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Create an endpoint that receives events; only this response contains its secret',
  })
  @ApiEnvelope(CreatedWebhookResponse, 'WEBHOOK_NOT_FOUND')
  @SendsHeaders('Cache-Control')
  createWebhook(
    @Body() body: CreateWebhookRequest,
    @Idempotent() idempotency?: IdempotencyRecord,
  ): Promise<CreatedWebhookResponse> {
    return this.webhooks.create(body, idempotency);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get an endpoint' })
  @ApiEnvelope(WebhookResponse, 'WEBHOOK_NOT_FOUND')
  getWebhook(@PathId('id') id: number): Promise<WebhookResponse> {
    return this.webhooks.find(id);
  }

  @Put(':id')
  @Audited('webhook.update')
  @ApiOperation({ summary: 'Change, enable or disable an endpoint' })
  @ApiEnvelope(WebhookResponse, 'WEBHOOK_NOT_FOUND')
  changeWebhook(@PathId('id') id: number, @Body() body: ChangeWebhookRequest): Promise<WebhookResponse> {
    return this.webhooks.change(id, body);
  }

  @Delete(':id')
  @Audited('webhook.delete')
  @ApiOperation({ summary: 'Delete an endpoint with its deliveries' })
  @ApiEnvelope(null, 'WEBHOOK_NOT_FOUND')
  deleteWebhook(@PathId('id') id: number): Promise<void> {
    return this.webhooks.remove(id);
  }

  @Post(':id/secret')
  @Audited('webhook.rotate')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Replace the secret of an endpoint; for 24 h the previous one signs as well' })
  @ApiEnvelope(WebhookSecretResponse, 'WEBHOOK_NOT_FOUND')
  @SendsHeaders('Cache-Control')
  rotateWebhookSecret(@PathId('id') id: number): Promise<WebhookSecretResponse> {
    return this.webhooks.rotateSecret(id);
  }

  @Post(':id/test')
  @Audited('webhook.test')
  @RouteConfig({ minTimeoutMs: TEST_TIMEOUT_MS })
  @ApiOperation({ summary: 'Post a test event to an endpoint once, even if it is disabled' })
  @ApiEnvelope(WebhookTestResponse, 'WEBHOOK_NOT_FOUND')
  testWebhook(@PathId('id') id: number): Promise<WebhookTestResponse> {
    return this.tests.test(id);
  }
}
