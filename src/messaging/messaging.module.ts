import { Module } from '@nestjs/common';
import { wordsOf } from '../common/words/languages';
import { CONFIG, type Config } from '../config/config';
import { EventsModule } from '../events/events.module';
import { AbandonedConversationsService } from './services/abandoned-conversations.service';
import { ConversationCreationService } from './services/conversation-creation.service';
import { ConversationCountRepairService } from './services/conversation-count-repair.service';
import { ConversationEvents } from './events/conversation-events';
import { ConversationViews } from './views/conversation-views';
import { ConversationsController } from './conversations.controller';
import { ConversationsService } from './services/conversations.service';
import { HistoryService } from './services/history.service';
import { LargeGroupEvents } from './events/large-group-events';
import { LockedConversations } from './services/locked-conversations';
import { LiveReads } from './events/live-reads';
import { LocalTime } from './rules/local-time';
import { MemberViews } from './views/member-views';
import { MembersController } from './members.controller';
import { MembersService } from './services/members.service';
import { MessageViews } from './views/message-views';
import { MessageWriter } from './services/message-writer';
import { MessagesController } from './messages.controller';
import { MessagesService } from './services/messages.service';
import { MuteEndsService } from './services/mute-ends.service';
import { OwnershipService } from './services/ownership.service';
import { ReaderViews } from './views/reader-views';
import { ReadPositionsService } from './services/read-positions.service';
import { RecallsService } from './services/recalls.service';

/** Conversations of two and of groups, their messages, and who has read what. */
@Module({
  imports: [EventsModule],
  controllers: [ConversationsController, MembersController, MessagesController],
  providers: [
    AbandonedConversationsService,
    ConversationCountRepairService,
    ConversationCreationService,
    ConversationsService,
    ConversationViews,
    ConversationEvents,
    LargeGroupEvents,
    HistoryService,
    {
      provide: LocalTime,
      inject: [CONFIG],
      useFactory: (config: Config) => new LocalTime(config.timezone, wordsOf(config)),
    },
    LiveReads,
    LockedConversations,
    MemberViews,
    MembersService,
    MessagesService,
    MessageViews,
    MessageWriter,
    MuteEndsService,
    OwnershipService,
    ReaderViews,
    ReadPositionsService,
    RecallsService,
  ],
})
export class MessagingModule {}
