import { Body, Controller, Delete, Get, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Audited } from '../audit/recording/audited.decorator';
import { KeyScope } from '../common/auth/api-keys/key-scope.decorator';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { GroupsPage, ItemsPage } from '../common/http/page';
import { RawResponse } from '../common/http/response.decorators';
import { Catalogues } from '../common/i18n/catalogues';
import { PathId } from '../common/input/path-id.decorator';
import { Idempotent, type IdempotencyRecord } from '../database/idempotency/idempotency-record';
import { DeviceGroupsService } from './services/device-groups.service';
import {
  ChangeDeviceGroupRequest,
  CreateDeviceGroupRequest,
  DeviceIdsRequest,
  ListDeviceGroupsQuery,
  ListGroupDevicesQuery,
  MoveDeviceGroupsRequest,
  MoveDevicesRequest,
  PositionRequest,
} from './dto/device-group-requests.dto';
import {
  CreatedDeviceGroupResponse,
  DeviceGroupResponse,
  DeviceGroupDetailResponse,
} from './dto/device-group.dto';
import { DeviceResponse } from './dto/device.dto';
import { AffectedResponse } from '../common/http/affected.dto';
import { GroupDevicesService } from './services/group-devices.service';
import { GroupPages } from './services/group-pages';
import { GroupPositionsService } from './services/group-positions.service';

@ApiTags('Device groups')
@Controller('api/admin/device-groups')
export class DeviceGroupsController {
  constructor(
    private readonly groups: DeviceGroupsService,
    private readonly pages: GroupPages,
    private readonly languages: Catalogues,
    private readonly devices: GroupDevicesService,
    private readonly positions: GroupPositionsService,
  ) {}

  @Get()
  @KeyScope('device-groups:read')
  @ApiOperation({ summary: 'List device groups, ordered by sort_order, then id' })
  @RawResponse()
  @ApiEnvelope({ page: GroupsPage, of: DeviceGroupResponse })
  async listDeviceGroups(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: ListDeviceGroupsQuery,
  ): Promise<Buffer> {
    const { body, headers } = await this.pages.current(query, this.languages.for(request));
    void reply.headers(headers).type('application/json; charset=utf-8');
    return body;
  }

  @Post('move')
  @Audited('device_group.move')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Move several groups with their subtrees next to one another' })
  @ApiEnvelope(AffectedResponse)
  async moveDeviceGroups(@Body() body: MoveDeviceGroupsRequest): Promise<AffectedResponse> {
    return { affected: await this.positions.move(body) };
  }

  @Post()
  @Audited('device_group.create')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Create a device group, optionally with devices' })
  @ApiEnvelope(CreatedDeviceGroupResponse, 'DEVICE_GROUP_NOT_FOUND')
  createDeviceGroup(
    @Body() body: CreateDeviceGroupRequest,
    @Idempotent() idempotency?: IdempotencyRecord,
  ): Promise<CreatedDeviceGroupResponse> {
    return this.groups.create(body, idempotency);
  }

  @Get(':id')
  @KeyScope('device-groups:read')
  @ApiOperation({ summary: 'Get a device group with its counts and ancestors' })
  @ApiEnvelope(DeviceGroupDetailResponse, 'DEVICE_GROUP_NOT_FOUND')
  getDeviceGroup(@PathId('id') id: number): Promise<DeviceGroupDetailResponse> {
    return this.groups.find(id);
  }

  @Put(':id')
  @Audited('device_group.update')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Change a device group; a different parent_id moves its whole subtree' })
  @ApiEnvelope(DeviceGroupDetailResponse, 'DEVICE_GROUP_NOT_FOUND')
  changeDeviceGroup(
    @PathId('id') id: number,
    @Body() body: ChangeDeviceGroupRequest,
  ): Promise<DeviceGroupDetailResponse> {
    return this.groups.change(id, body);
  }

  @Put(':id/position')
  @Audited('device_group.position')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Put a device group next to another one, or last; its siblings are renumbered' })
  @ApiEnvelope(DeviceGroupDetailResponse, 'DEVICE_GROUP_NOT_FOUND')
  placeDeviceGroup(
    @PathId('id') id: number,
    @Body() body: PositionRequest,
  ): Promise<DeviceGroupDetailResponse> {
    return this.positions.place(id, body);
  }

  @Delete(':id')
  @Audited('device_group.delete')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Delete an empty device group' })
  @ApiEnvelope(null, 'DEVICE_GROUP_NOT_FOUND', 'DEVICE_GROUP_HAS_SUBGROUPS', 'DEVICE_GROUP_HAS_DEVICES')
  deleteDeviceGroup(@PathId('id') id: number): Promise<void> {
    return this.groups.remove(id);
  }

  @Get(':id/devices')
  @KeyScope('device-groups:read')
  @ApiOperation({
    summary: 'List the devices of a group by id; with recursive=1 also those of all groups below',
  })
  @ApiEnvelope({ page: ItemsPage, of: DeviceResponse }, 'DEVICE_GROUP_NOT_FOUND')
  listGroupDevices(
    @PathId('id') id: number,
    @Query() query: ListGroupDevicesQuery,
  ): Promise<ItemsPage<DeviceResponse>> {
    return this.devices.list(id, query);
  }

  @Post(':id/devices')
  @Audited('device_group.update')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Add devices to a group, all or none; those already in it are skipped' })
  @ApiEnvelope(null, 'DEVICE_GROUP_NOT_FOUND')
  addGroupDevices(@PathId('id') id: number, @Body() body: DeviceIdsRequest): Promise<void> {
    return this.devices.add(id, body.device_ids);
  }

  @Post(':id/devices/move')
  @KeyScope('device-groups:write')
  @Audited('device.move')
  @ApiOperation({ summary: 'Move devices from another group into this one, all or none' })
  @ApiEnvelope(AffectedResponse, 'DEVICE_GROUP_NOT_FOUND')
  async moveGroupDevices(
    @PathId('id') id: number,
    @Body() { device_ids, from_group_id }: MoveDevicesRequest,
  ): Promise<AffectedResponse> {
    return { affected: await this.devices.move(device_ids, { from: from_group_id, to: id }) };
  }

  @Delete(':id/devices')
  @Audited('device_group.update')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Remove devices from a group; those not in it are ignored' })
  @ApiEnvelope(null, 'DEVICE_GROUP_NOT_FOUND')
  removeGroupDevices(@PathId('id') id: number, @Body() body: DeviceIdsRequest): Promise<void> {
    return this.devices.remove(id, body.device_ids);
  }
}
