import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { ContactGraph } from './contact-graph';
import { BlocksService } from './blocks/blocks.service';
import { DirectoryService } from './directory/directory.service';
import { UsersController } from './directory/users.controller';
import { VisibleUsers } from './directory/visible-users';
import { InstanceRegistry } from './presence/instance-registry';
import { PresenceAdministration } from './presence/presence-administration';
import { PresenceChanges } from './presence/presence-changes';
import { PresencePoller } from './presence/presence-poller';
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
    ContactGraph,
    BlocksService,
    DirectoryService,
    InstanceRegistry,
    PresenceAdministration,
    PresenceChanges,
    PresencePoller,
    PresenceService,
    PresenceViews,
    PresenceWatchers,
    PresenceWriter,
    VisibleUsers,
  ],
  exports: [ContactGraph, BlocksService],
})
export class PeopleModule {}
