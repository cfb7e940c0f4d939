import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CONFIG, type Config } from '../config/config';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { CONFIG_SCHEMA, HealthResponse } from './dto/system.dto';
import { shownConfig } from './rules/shown-config';
import { SystemHealthService } from './system-health.service';

@ApiTags('System')
@Controller('api/admin')
export class SystemController {
  constructor(
    private readonly health: SystemHealthService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('health')
  @ApiOperation({ summary: 'Health of the parts of the service and of the jobs of this instance' })
  @ApiEnvelope(HealthResponse)
  async getHealth(): Promise<HealthResponse> {
    return { items: await this.health.items() };
  }

  @Get('config')
  @ApiOperation({ summary: 'Effective configuration; for secrets only whether they are set' })
  @ApiEnvelope({ schema: CONFIG_SCHEMA })
  getConfig(): Record<string, string | null> {
    return shownConfig(this.config);
  }
}
