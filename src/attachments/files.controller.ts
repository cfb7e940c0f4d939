import { Controller, Get, Param, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../common/auth/public.decorator';
import { RawResponse } from '../common/http/response.decorators';
import { ApiFile } from '../openapi/api-file.decorator';
import { FileQuery } from './dto/file.dto';
import { AttachmentMetrics } from './services/attachment-metrics';
import { FilesService } from './services/files.service';

/**
 * Headers of every file. Even a file that a browser shows runs no scripts and loads nothing; pages of other origins may
 * embed it, because clients are on other origins.
 */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

@ApiTags('Attachments')
@Controller('files')
@Public()
export class FilesController {
  constructor(
    private readonly files: FilesService,
    private readonly metrics: AttachmentMetrics,
  ) {}

  @Get(':file')
  @RawResponse({ isStreamed: true, isUncounted: true, countedWhenRefused: true })
  @ApiOperation({
    summary: 'Get the bytes of an attachment by its signed URL; a `Range` returns a part of them',
  })
  @ApiParam({ name: 'file', description: 'Id and extension, as in the URL', example: '12.jpg' })
  @ApiFile()
  async getFile(
    @Param('file') file: string,
    @Query() query: FileQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    try {
      const { status, headers, body } = await this.files.respond(request, reply, file, query);
      this.metrics.countDownload(status);
      const length = request.method === 'HEAD' ? 0 : Number(headers['Content-Length'] ?? 0);
      reply.raw.once('finish', () => this.metrics.countSent(length));
      void reply.status(status).headers({ ...HEADERS, ...headers });
      // Nest copies every chunk of a bare stream through an iterator and a second stream.
      return body && new StreamableFile(body);
    } catch (error) {
      this.metrics.countRefusedDownload(error);
      throw error;
    }
  }
}
