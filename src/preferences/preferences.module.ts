import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { PreferencesController } from './preferences.controller';
import { PreferencesService } from './services/preferences.service';
import { PushPreferences } from './services/push-preferences';

/** Preferences of users about notifications and pushes: by type, quiet hours, do-not-disturb. */
@Module({
  imports: [EventsModule],
  controllers: [PreferencesController],
  providers: [PreferencesService, PushPreferences],
  exports: [PushPreferences],
})
export class PreferencesModule {}
