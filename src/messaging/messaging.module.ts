import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { EventsModule } from '../events/events.module';
import { ConversationEvents } from './conversation-events';
import { ConversationViews } from './conversation-views.service';
import { ConversationsController } from './conversations.controller';
import { ConversationsService } from './conversations.service';
import { HistoryService } from './history.service';
import { LargeGroupEvents } from './large-group-events';
import { LocalTime } from './local-time';
import { MemberViews } from './member-views.service';
import { MembersController } from './members.controller';
import { MembersService } from './members.service';
import { MessageViews } from './message-views.service';
import { MessagesController } from './messages.controller';
import { MessagesService } from './messages.service';
import { ReadPositions } from './read-positions.service';
import { RecallsService } from './recalls.service';

/** Conversations of two and of groups, their messages, and who has read what. */
@Module({
  imports: [EventsModule],
  controllers: [ConversationsController, MembersController, MessagesController],
  providers: [
    ConversationsService,
    ConversationViews,
    ConversationEvents,
    LargeGroupEvents,
    HistoryService,
    { provide: LocalTime, inject: [CONFIG], useFactory: ({ timezone }: Config) => new LocalTime(timezone) },
    MemberViews,
    MembersService,
    MessagesService,
    MessageViews,
    ReadPositions,
    RecallsService,
  ],
})
export class MessagingModule {}
