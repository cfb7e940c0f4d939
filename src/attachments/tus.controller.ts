import { Controller, Delete, Head, Options, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { Public } from '../common/auth/public.decorator';
import { success } from '../common/http/envelope.interceptor';
import { RawResponse } from '../common/http/response.decorators';
import { Catalogues } from '../common/i18n/catalogues';
import { discardRest } from './services/discard-rest';
import { ResumableUploadsService, TUS_VERSION } from './services/resumable/resumable-uploads.service';
import { AttachmentViews } from './views/attachment.views';

/** Requests with bytes take as long as their client; errors keep the status that the protocol gives a meaning to. */
const STREAMED = { longLived: true, isStreamedUpload: true, isStreamed: true, keepsStatus: true };
const OTHER = { keepsStatus: true };

/**
 * Resumable uploads by the protocol tus 1.0 (`docs/attachments.md`). Not part of the OpenAPI document, because its
 * clients are those of the protocol.
 */
@ApiExcludeController()
@Controller('api/attachments/tus')
export class TusController {
  constructor(
    private readonly uploads: ResumableUploadsService,
    private readonly views: AttachmentViews,
    private readonly languages: Catalogues,
  ) {}

  @Options()
  @Public()
  @RawResponse(OTHER)
  getTusOptions(@Res({ passthrough: true }) reply: FastifyReply): void {
    void reply.status(200).headers(this.uploads.options());
  }

  @Post()
  @RawResponse(STREAMED)
  createUpload(
    @CurrentUser() user: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    return this.#respond(user, request, reply);
  }

  @Head(':id')
  @RawResponse(OTHER)
  async getUploadState(
    @CurrentUser() user: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    await this.#respond(user, request, reply, id);
  }

  @Patch(':id')
  @RawResponse(STREAMED)
  continueUpload(
    @CurrentUser() user: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<object | undefined> {
    return this.#respond(user, request, reply, id);
  }

  @Delete(':id')
  @RawResponse(OTHER)
  async deleteUpload(
    @CurrentUser() user: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    await this.#respond(user, request, reply, id);
  }

  async #respond(
    user: Principal,
    request: FastifyRequest,
    reply: FastifyReply,
    id?: string,
  ): Promise<object | undefined> {
    try {
      const { status, headers, attachment } = await this.uploads.respond(user.id, request, id);
      void reply.status(status).headers(headers);
      if (attachment === undefined) return undefined;
      void reply.type('application/json; charset=utf-8').removeHeader('Content-Length');
      return success(this.views.describe(attachment), this.languages.for(request));
    } catch (error) {
      void reply.headers({ 'Tus-Resumable': TUS_VERSION, 'Tus-Version': TUS_VERSION });
      if (request.method === 'PATCH' || request.method === 'POST') {
        await discardRest(request.raw, error);
        // There may be more of the body, so the connection cannot be reused.
        void reply.header('Connection', 'close');
      }
      throw error;
    }
  }
}
