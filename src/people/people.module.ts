import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { Acquaintances } from './acquaintances';
import { BlocksService } from './blocks/blocks.service';
import { OwnBlocksService } from './blocks/own-blocks.service';
import { DirectoryService } from './directory/directory.service';
import { UsersController } from './directory/users.controller';
import { VisibleUsers } from './directory/visible-users';
import { InstanceRows } from './presence/instance-rows';
import { PresenceAdministration } from './presence/presence-administration';
import { PresenceChanges } from './presence/presence-changes';
import { PresenceLooks } from './presence/presence-looks';
import { PresenceViews } from './presence/presence-views';
import { PresenceWatchers } from './presence/presence-watchers';
import { PresenceWriter } from './presence/presence-writer';
import { PresenceController } from './presence/presence.controller';
import { PresenceService } from './presence/presence.service';

/** User directory, blocks and presence. */
@Module({
  imports: [EventsModule],
  controllers: [UsersController, PresenceController],
  providers: [
    Acquaintances,
    BlocksService,
    DirectoryService,
    InstanceRows,
    OwnBlocksService,
    PresenceAdministration,
    PresenceChanges,
    PresenceLooks,
    PresenceService,
    PresenceViews,
    PresenceWatchers,
    PresenceWriter,
    VisibleUsers,
  ],
  exports: [Acquaintances, BlocksService],
})
export class PeopleModule {}
