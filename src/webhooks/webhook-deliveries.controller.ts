import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/recording/audited.decorator';
import { PathId } from '../common/input/path-id.decorator';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ListDeliveriesQuery, ReplayWebhookRequest } from './dto/webhook-requests.dto';
import {
  WebhookDeliveriesResponse,
  WebhookDeliveryDetailResponse,
  WebhookReplayResponse,
} from './dto/webhook-responses.dto';
import { WebhookDeliveriesService } from './services/webhook-deliveries.service';

@ApiTags('Webhooks')
@Controller('api/admin/webhooks/:id')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Get('deliveries')
  @ApiOperation({ summary: 'List the deliveries of an endpoint, newest first' })
  @ApiEnvelope(WebhookDeliveriesResponse, 'WEBHOOK_NOT_FOUND')
  listWebhookDeliveries(
    @PathId('id') id: number,
    @Query() query: ListDeliveriesQuery,
  ): Promise<WebhookDeliveriesResponse> {
    return this.deliveries.list(id, query);
  }

  @Get('deliveries/:deliveryId')
  @ApiOperation({ summary: 'Get a delivery with its payload and the response to a failed attempt' })
  @ApiEnvelope(WebhookDeliveryDetailResponse, 'WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND')
  getWebhookDelivery(
    @PathId('id') id: number,
    @PathId('deliveryId') deliveryId: number,
  ): Promise<WebhookDeliveryDetailResponse> {
    return this.deliveries.find(id, deliveryId);
  }

  @Post('deliveries/:deliveryId/redeliver')
  @Audited('webhook.redeliver')
  @ApiOperation({ summary: 'Send a delivery again with the same `webhook-id`' })
  @ApiEnvelope(null, 'WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND')
  redeliverWebhook(@PathId('id') id: number, @PathId('deliveryId') deliveryId: number): Promise<void> {
    return this.deliveries.redeliver(id, deliveryId);
  }

  @Post('replay')
  @Audited('webhook.replay')
  @ApiOperation({ summary: 'Send the failed and held deliveries since a given time again' })
  @ApiEnvelope(WebhookReplayResponse, 'WEBHOOK_NOT_FOUND')
  async replayWebhook(
    @PathId('id') id: number,
    @Body() { since }: ReplayWebhookRequest,
  ): Promise<WebhookReplayResponse> {
    return { queued: await this.deliveries.replay(id, since) };
  }
}
