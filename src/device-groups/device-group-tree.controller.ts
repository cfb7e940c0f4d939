import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeyScope } from '../common/auth/api-keys/key-scope.decorator';
import { RawResponse } from '../common/http/response.decorators';
import { Catalogues } from '../common/i18n/catalogues';
import { SendsHeaders } from '../openapi/response-headers';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { DeviceCountResponse, DeviceGroupNodeResponse } from './dto/device-group.dto';
import { GroupCounts } from './services/group-counts';
import { GroupTree } from './services/group-tree';

const IfNoneMatch = (description: string): MethodDecorator =>
  ApiHeader({
    name: 'If-None-Match',
    required: false,
    description,
    example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  });

/** Responses that are cached as bytes per version of the group tree and of the memberships, and carry an ETag. */
@ApiTags('Device groups')
@Controller('api/admin/device-groups')
export class DeviceGroupTreeController {
  constructor(
    private readonly tree: GroupTree,
    private readonly counts: GroupCounts,
    private readonly languages: Catalogues,
  ) {}

  @Get('tree')
  @KeyScope('device-groups:read')
  @ApiOperation({ summary: 'The whole tree; with If-None-Match 304 if it has not changed' })
  @IfNoneMatch('ETag of the tree that the client has')
  @RawResponse()
  @ApiEnvelope([DeviceGroupNodeResponse])
  @ApiResponse({ status: 304, description: 'The tree that the client has is the current one' })
  @SendsHeaders('ETag', 'Cache-Control')
  async getDeviceGroupTree(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    return (await this.tree.current(this.languages.for(request))).answer(request, reply);
  }

  @Get('device-counts')
  @KeyScope('device-groups:read')
  @ApiOperation({
    summary: 'Device counts of all groups; with If-None-Match 304 if none has changed',
  })
  @IfNoneMatch('ETag of the counts that the client has')
  @RawResponse()
  @ApiEnvelope([DeviceCountResponse])
  @ApiResponse({ status: 304, description: 'The counts that the client has are the current ones' })
  @SendsHeaders('ETag', 'Cache-Control')
  async getDeviceCounts(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    return (await this.counts.current(this.languages.for(request))).answer(request, reply);
  }
}
