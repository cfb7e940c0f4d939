import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../common/auth/principal';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { ChangePreferencesRequest, PreferencesResponse } from './dto/preferences.dto';
import { PreferencesService } from './services/preferences.service';

@ApiTags('Preferences')
@Controller('api/preferences')
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  @Get()
  @ApiOperation({ summary: 'Get the current user’s preferences about notifications and pushes' })
  @ApiEnvelope(PreferencesResponse)
  getPreferences(@CurrentUser() user: Principal): Promise<PreferencesResponse> {
    return this.preferences.get(user.id);
  }

  @Put()
  @ApiOperation({
    summary: 'Change the current user’s preferences; fields that are not sent keep their values',
  })
  @ApiEnvelope(PreferencesResponse)
  updatePreferences(
    @CurrentUser() user: Principal,
    @Body() body: ChangePreferencesRequest,
  ): Promise<PreferencesResponse> {
    return this.preferences.change(user.id, body);
  }
}
