import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { PreferencesController } from './preferences.controller';
import { PreferencesService } from './services/preferences.service';

/** Preferences of users about notifications and pushes: by type, quiet hours, do-not-disturb. */
@Module({
  imports: [EventsModule],
  controllers: [PreferencesController],
  providers: [PreferencesService],
  exports: [PreferencesService],
})
export class PreferencesModule {}
