import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/trail/audited.decorator';
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
  @ApiOperation({ summary: 'What was sent to an endpoint, or will be, newest first' })
  @ApiEnvelope(WebhookDeliveriesResponse, 'WEBHOOK_NOT_FOUND')
  listWebhookDeliveries(
    @PathId('id') id: number,
    @Query() query: ListDeliveriesQuery,
  ): Promise<WebhookDeliveriesResponse> {
    return this.deliveries.list(id, query);
  }

  @Get('deliveries/:deliveryId')
  @ApiOperation({ summary: 'One delivery, with what is sent and what a failure answered' })
  @ApiEnvelope(WebhookDeliveryDetailResponse, 'WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND')
  getWebhookDelivery(
    @PathId('id') id: number,
    @PathId('deliveryId') deliveryId: number,
  ): Promise<WebhookDeliveryDetailResponse> {
    return this.deliveries.find(id, deliveryId);
  }

  @Post('deliveries/:deliveryId/redeliver')
  @Audited('webhook.redeliver')
  @ApiOperation({ summary: 'Send a delivery again, under the same id' })
  @ApiEnvelope(null, 'WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND')
  redeliverWebhook(@PathId('id') id: number, @PathId('deliveryId') deliveryId: number): Promise<void> {
    return this.deliveries.redeliver(id, deliveryId);
  }

  @Post('replay')
  @Audited('webhook.replay')
  @ApiOperation({ summary: 'Send everything again that has failed or is held since a moment' })
  @ApiEnvelope(WebhookReplayResponse, 'WEBHOOK_NOT_FOUND')
  async replayWebhook(
    @PathId('id') id: number,
    @Body() { since }: ReplayWebhookRequest,
  ): Promise<WebhookReplayResponse> {
    return { queued: await this.deliveries.replay(id, since) };
  }
}
