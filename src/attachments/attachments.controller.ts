import { Controller, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditedOnBehalf } from '../audit/recording/audited.decorator';
import { KeyOnBehalf } from '../common/auth/api-keys/key-scope.decorator';
import { CurrentUser, type Principal } from '../common/auth/principal';
import type { SchemaObject } from '../openapi/document-types';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { AttachmentResponse } from './dto/attachment.dto';
import { ATTACHMENT_TYPES } from './rules/file-types.rules';
import { discardRest } from './services/discard-rest';
import { UploadsService } from './services/uploads.service';

const FORM: SchemaObject = {
  type: 'object',
  required: ['type', 'file'],
  properties: {
    type: {
      type: 'string',
      enum: [...ATTACHMENT_TYPES],
      description: 'Type of the message in which the file is sent',
      example: 'image',
    },
    duration: {
      type: 'integer',
      minimum: 0,
      maximum: 86_400,
      description: 'Duration of a recording in seconds; ignored for images and files',
      example: 12,
    },
    file: {
      type: 'string',
      format: 'binary',
      description: 'One file of at most `ATTACHMENT_MAX_BYTES`',
      example: '(bytes)',
    },
  },
};

@ApiTags('Attachments')
@Controller('api/attachments')
export class AttachmentsController {
  constructor(private readonly uploads: UploadsService) {}

  @Post()
  @AuditedOnBehalf('attachment.create')
  @KeyOnBehalf('messages:send-as')
  @RouteConfig({ longLived: true, isStreamedUpload: true })
  @ApiOperation({ summary: 'Upload a file to send in a message' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: FORM })
  @ApiEnvelope(AttachmentResponse, 'ROUTE_NOT_FOUND', 'STORAGE_FULL', 'BAD_REQUEST')
  async uploadAttachment(
    @CurrentUser() user: Principal,
    @Req() { raw }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AttachmentResponse> {
    try {
      return await this.uploads.upload(user.id, raw);
    } catch (error) {
      await discardRest(raw, error);
      // There may be more of the body, so the connection cannot be reused.
      void reply.header('Connection', 'close');
      throw error;
    }
  }
}
