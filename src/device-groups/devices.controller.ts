import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/input/path-id.decorator';
import { DevicesService } from './devices.service';
import { AffectedResponse } from '../common/http/affected.dto';
import { DeviceIdsRequest } from './dto/device-group-requests.dto';
import {
  ChangeDeviceRequest,
  ChangeDevicesRequest,
  CreateDeviceRequest,
  ListDevicesQuery,
} from './dto/device-requests.dto';
import { DeviceResponse } from './dto/device.dto';

@ApiTags('Devices')
@Controller('api/admin/devices')
export class DevicesController {
  constructor(private readonly devices: DevicesService) {}

  @Get()
  @ApiOperation({ summary: 'List devices, by id or by another field' })
  @ApiEnvelope({ page: ItemsPage, of: DeviceResponse })
  list(@Query() query: ListDevicesQuery): Promise<ItemsPage<DeviceResponse>> {
    return this.devices.list(query);
  }

  @Post()
  @ApiOperation({ summary: 'Create a device' })
  @ApiEnvelope(DeviceResponse, 'SERIAL_NO_TAKEN')
  create(@Body() body: CreateDeviceRequest): Promise<DeviceResponse> {
    return this.devices.create(body);
  }

  @Put('bulk')
  @ApiOperation({ summary: 'Enable or disable several devices, all or none' })
  @ApiEnvelope(AffectedResponse)
  async changeMany(@Body() { device_ids, status }: ChangeDevicesRequest): Promise<AffectedResponse> {
    return { affected: await this.devices.changeMany(device_ids, status) };
  }

  @Delete()
  @ApiOperation({ summary: 'Delete several devices, all or none; they leave their groups' })
  @ApiEnvelope(AffectedResponse)
  async removeMany(@Body() { device_ids }: DeviceIdsRequest): Promise<AffectedResponse> {
    return { affected: await this.devices.removeMany(device_ids) };
  }

  @Get(':id')
  @ApiOperation({ summary: 'One device' })
  @ApiEnvelope(DeviceResponse, 'DEVICE_NOT_FOUND')
  find(@PathId('id') id: number): Promise<DeviceResponse> {
    return this.devices.find(id);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change a device' })
  @ApiEnvelope(DeviceResponse, 'DEVICE_NOT_FOUND', 'SERIAL_NO_TAKEN')
  change(@PathId('id') id: number, @Body() body: ChangeDeviceRequest): Promise<DeviceResponse> {
    return this.devices.change(id, body);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Delete a device; it leaves its groups' })
  @ApiEnvelope(null, 'DEVICE_NOT_FOUND')
  remove(@PathId('id') id: number): Promise<void> {
    return this.devices.remove(id);
  }
}
