import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { KeyScope } from '../common/auth/api-keys/key-scope.decorator';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { CallStatisticsQuery, CallStatisticsResponse, OverviewResponse } from './dto/statistics.dto';
import { StatisticsService } from './services/statistics.service';

@ApiTags('Statistics')
@Controller('api/admin/stats')
export class StatisticsController {
  constructor(private readonly statistics: StatisticsService) {}

  @Get('calls')
  @KeyScope('stats:read')
  @ApiOperation({ summary: 'Call statistics by day, and for the whole range' })
  @ApiEnvelope(CallStatisticsResponse)
  getCallStatistics(@Query() query: CallStatisticsQuery): Promise<CallStatisticsResponse> {
    return this.statistics.calls(query);
  }

  @Get('overview')
  @KeyScope('stats:read')
  @ApiOperation({ summary: 'Current counts and totals, and the last 30 days' })
  @ApiEnvelope(OverviewResponse)
  getOverview(): Promise<OverviewResponse> {
    return this.statistics.overview();
  }
}
