import { Body, Controller, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Audited } from '../../audit/recording/audited.decorator';
import { KeyScope } from '../../common/auth/api-keys/key-scope.decorator';
import { CsvBody } from '../../common/input/csv-body.decorator';
import { Catalogues } from '../../common/i18n/catalogues';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import {
  ImportDevicesQuery,
  ImportDevicesResponse,
  toImportDevicesResponse,
  toUpsertDevicesResponse,
  UpsertDevicesRequest,
  UpsertDevicesResponse,
} from '../dto/device-upserts.dto';
import { DeviceImportsService } from './device-imports.service';
import { DeviceUpsertsService } from './device-upserts.service';

const FILE = {
  type: 'string',
  description:
    'CSV in UTF-8 or GB18030, at most 1 MiB and 10,000 lines, with a header: `serial_no`, and any of `name`, `status`, `user_id`, `group_ids` (`3|14`) and `group_path` (`Garden/Building 1`, several joined by `|`, read where `group_ids` is empty). The other columns of an export are ignored',
  example: 'serial_no,name,status,group_ids\nYG-0301-D1,Front door,1,1\n',
} as const;

@ApiTags('Devices')
@Controller('api/admin/devices')
export class DeviceUpsertsController {
  constructor(
    private readonly upserts: DeviceUpsertsService,
    private readonly imports: DeviceImportsService,
    private readonly languages: Catalogues,
  ) {}

  @Post('bulk')
  @KeyScope('device-groups:write')
  @Audited('device.import')
  @ApiOperation({
    summary: 'Create or change devices by serial number; each one succeeds or fails independently',
  })
  @ApiEnvelope(UpsertDevicesResponse)
  async upsertDevices(
    @Body() { devices }: UpsertDevicesRequest,
    @Req() request: FastifyRequest,
  ): Promise<UpsertDevicesResponse> {
    return toUpsertDevicesResponse(await this.upserts.upsert(devices), this.languages.for(request));
  }

  @Post('import')
  @KeyScope('device-groups:write')
  @Audited('device.import')
  @ApiOperation({ summary: 'Create or change devices from a file; with dry_run=1 only report the results' })
  @ApiConsumes('text/csv')
  @ApiBody({ schema: FILE })
  @ApiEnvelope(ImportDevicesResponse)
  async importDevices(
    @Query() { dry_run, group_id }: ImportDevicesQuery,
    @CsvBody() file: Buffer,
    @Req() request: FastifyRequest,
  ): Promise<ImportDevicesResponse> {
    const imported = await this.imports.import(file, { isDryRun: dry_run === 1, groupId: group_id });
    return toImportDevicesResponse(imported, this.languages.for(request));
  }
}
