import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answers } from '../common/http/answers.decorator';
import { ItemsPage } from '../common/http/page';
import { PathId } from '../common/http/path-id.decorator';
import { DevicesService } from './devices.service';
import { ChangeDeviceBody, CreateDeviceBody, ListDevicesQuery } from './dto/device-requests.dto';
import { Device } from './dto/device.dto';

@ApiTags('Devices')
@Controller('api/admin/devices')
export class DevicesController {
  constructor(private readonly devices: DevicesService) {}

  @Get()
  @ApiOperation({ summary: 'List devices, by id' })
  @Answers({ page: ItemsPage, of: Device })
  list(@Query() query: ListDevicesQuery): Promise<ItemsPage<Device>> {
    return this.devices.list(query);
  }

  @Post()
  @ApiOperation({ summary: 'Create a device' })
  @Answers(Device, 'SERIAL_NO_TAKEN')
  create(@Body() body: CreateDeviceBody): Promise<Device> {
    return this.devices.create(body);
  }

  @Get(':id')
  @ApiOperation({ summary: 'One device' })
  @Answers(Device, 'DEVICE_NOT_FOUND')
  find(@PathId('id') id: number): Promise<Device> {
    return this.devices.find(id);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change a device' })
  @Answers(Device, 'DEVICE_NOT_FOUND', 'SERIAL_NO_TAKEN')
  change(@PathId('id') id: number, @Body() body: ChangeDeviceBody): Promise<Device> {
    return this.devices.change(id, body);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Delete a device; it leaves its groups' })
  @Answers(null, 'DEVICE_NOT_FOUND')
  remove(@PathId('id') id: number): Promise<void> {
    return this.devices.remove(id);
  }
}
