import type { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Audited } from '../audit/recording/audited.decorator';
import { KeyScope } from '../common/auth/api-keys/key-scope.decorator';
import { exportRows } from '../common/export/row-export';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ApiExport } from '../openapi/api-export.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/input/path-id.decorator';
import { Idempotent, type IdempotencyRecord } from '../database/idempotency/idempotency-record';
import { DevicesService } from './services/devices.service';
import { AffectedResponse, MatchingResponse, toMatchingResponse } from '../common/http/affected.dto';
import { DeviceIdsRequest } from './dto/device-group-requests.dto';
import {
  ChangeMatchingDevicesRequest,
  ChangeDeviceRequest,
  ChangeDevicesRequest,
  CreateDeviceRequest,
  ExportDevicesQuery,
  ListDevicesQuery,
  SearchDevicesQuery,
} from './dto/device-requests.dto';
import { DEVICE_COLUMNS, DeviceResponse } from './dto/device.dto';

@ApiTags('Devices')
@Controller('api/admin/devices')
export class DevicesController {
  constructor(private readonly devices: DevicesService) {}

  @Get()
  @KeyScope('device-groups:read')
  @ApiOperation({ summary: 'List devices, by id or by another field' })
  @ApiEnvelope({ page: ItemsPage, of: DeviceResponse })
  listDevices(@Query() query: ListDevicesQuery): Promise<ItemsPage<DeviceResponse>> {
    return this.devices.list(query);
  }

  @Get('export')
  @KeyScope('device-groups:read')
  @ApiOperation({ summary: 'Export the matching devices as a file, by id' })
  @ApiExport('by id')
  async exportDevices(
    @Query() { format, ...filter }: ExportDevicesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    return exportRows(reply, {
      name: 'devices',
      format,
      columns: DEVICE_COLUMNS,
      pages: format === 'csv' ? this.devices.exportCsv(filter) : this.devices.export(filter),
    });
  }

  @Post()
  @Audited('device.create')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Create a device' })
  @ApiEnvelope(DeviceResponse, 'SERIAL_NO_TAKEN', 'DEVICE_NOT_FOUND')
  createDevice(
    @Body() body: CreateDeviceRequest,
    @Idempotent() idempotency?: IdempotencyRecord,
  ): Promise<DeviceResponse> {
    return this.devices.create(body, idempotency);
  }

  @Put('bulk')
  @Audited('device.bulk_update')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Enable or disable several devices, all or none' })
  @ApiEnvelope(AffectedResponse)
  async changeDevices(@Body() { device_ids, status }: ChangeDevicesRequest): Promise<AffectedResponse> {
    return { affected: await this.devices.changeMany(device_ids, status) };
  }

  @Put('matching')
  @Audited('device.bulk_update')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Enable or disable the devices that match the filter; 500 per request' })
  @ApiEnvelope(MatchingResponse)
  async changeMatchingDevices(
    @Query() filter: SearchDevicesQuery,
    @Body() { after_id, status }: ChangeMatchingDevicesRequest,
  ): Promise<MatchingResponse> {
    const { ids, affected } = await this.devices.changeMatching(filter, after_id, status);
    return toMatchingResponse(ids, affected);
  }

  @Delete()
  @Audited('device.delete')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Delete several devices, all or none, and remove them from their groups' })
  @ApiEnvelope(AffectedResponse)
  async deleteDevices(@Body() { device_ids }: DeviceIdsRequest): Promise<AffectedResponse> {
    return { affected: await this.devices.removeMany(device_ids) };
  }

  @Get(':id')
  @KeyScope('device-groups:read')
  @ApiOperation({ summary: 'Get a device' })
  @ApiEnvelope(DeviceResponse, 'DEVICE_NOT_FOUND')
  getDevice(@PathId('id') id: number): Promise<DeviceResponse> {
    return this.devices.find(id);
  }

  @Put(':id')
  @Audited('device.update')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Change a device' })
  @ApiEnvelope(DeviceResponse, 'DEVICE_NOT_FOUND', 'SERIAL_NO_TAKEN')
  changeDevice(@PathId('id') id: number, @Body() body: ChangeDeviceRequest): Promise<DeviceResponse> {
    return this.devices.change(id, body);
  }

  @Delete(':id')
  @Audited('device.delete')
  @KeyScope('device-groups:write')
  @ApiOperation({ summary: 'Delete a device and remove it from its groups' })
  @ApiEnvelope(null, 'DEVICE_NOT_FOUND')
  deleteDevice(@PathId('id') id: number): Promise<void> {
    return this.devices.remove(id);
  }
}
