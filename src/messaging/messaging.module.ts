import { Module } from '@nestjs/common';
import { catalogueFor } from '../common/i18n/catalogues';
import { CONFIG, type Config } from '../config/config';
import { EventsModule } from '../events/events.module';
import { DomainEventsModule } from '../outbox/domain-events.module';
import { PeopleModule } from '../people/people.module';
import { AdminConversationsController } from './admin-conversations.controller';
import { AdminConversationsService } from './services/admin-conversations.service';
import { ConversationInspectionsService } from './services/conversation-inspections.service';
import { AbandonedConversationsService } from './services/abandoned-conversations.service';
import { ConversationCreationService } from './services/conversation-creation.service';
import { ConversationCountRepairService } from './services/conversation-count-repair.service';
import { Contacts } from './contacts/contacts';
import { ConversationFaces } from './services/conversation-faces';
import { ConversationEvents } from './events/conversation-events';
import { MessageEvents } from './events/message-events';
import { ConversationViews } from './views/conversation.views';
import { ConversationsController } from './conversations.controller';
import { ConversationsService } from './services/conversations.service';
import { EditsService } from './services/edits.service';
import { HistoryService } from './services/history.service';
import { LargeGroupEvents } from './events/large-group-events';
import { LockedConversations } from './services/locked-conversations';
import { ReadReceiptBroadcaster } from './events/read-receipt-broadcaster';
import { LocalTime } from './rules/local-time.rules';
import { MemberViews } from './views/member.views';
import { MembersController } from './members.controller';
import { MembersService } from './services/members.service';
import { MarkEvents } from './events/mark-events';
import { MessageMarksController } from './message-marks.controller';
import { MessageViews } from './views/message.views';
import { MessageWriter } from './services/message-writer';
import { MessagesController } from './messages.controller';
import { MessagesService } from './services/messages.service';
import { CallNoticesService } from './services/call-notices.service';
import { MemberNotices } from './services/member-notices';
import { NoticeWriter } from './services/notice-writer';
import { OwnHistoryService } from './services/own-history.service';
import { ReactionsService } from './services/reactions.service';
import { MuteEndsService } from './services/mute-ends.service';
import { OwnershipService } from './services/ownership.service';
import { MessageAudienceViews } from './views/message-audience.views';
import { ReadPositionsService } from './services/read-positions.service';
import { RecallsService } from './services/recalls.service';
import { RecalledTexts } from './events/recalled-texts';
import { MessageSearchService } from './search/message-search.service';
import { SearchController } from './search/search.controller';
import { SearchIndexService } from './search/search-index.service';
import { TypingController } from './typing/typing.controller';
import { TypingService } from './typing/typing.service';

/** Single chats and groups, their messages, and read states. */
@Module({
  imports: [DomainEventsModule, EventsModule, PeopleModule],
  controllers: [
    AdminConversationsController,
    ConversationsController,
    MembersController,
    SearchController,
    MessagesController,
    MessageMarksController,
    TypingController,
  ],
  providers: [
    AbandonedConversationsService,
    AdminConversationsService,
    ConversationInspectionsService,
    Contacts,
    ConversationCountRepairService,
    ConversationCreationService,
    ConversationsService,
    ConversationViews,
    ConversationEvents,
    MessageEvents,
    ConversationFaces,
    EditsService,
    LargeGroupEvents,
    HistoryService,
    {
      provide: LocalTime,
      inject: [CONFIG],
      useFactory: (config: Config) => new LocalTime(config.timezone, catalogueFor(config)),
    },
    ReadReceiptBroadcaster,
    LockedConversations,
    MarkEvents,
    MemberNotices,
    MemberViews,
    MembersService,
    MessagesService,
    MessageSearchService,
    MessageViews,
    MessageWriter,
    MuteEndsService,
    NoticeWriter,
    CallNoticesService,
    OwnHistoryService,
    ReactionsService,
    OwnershipService,
    MessageAudienceViews,
    ReadPositionsService,
    RecalledTexts,
    RecallsService,
    SearchIndexService,
    TypingService,
  ],
  exports: [
    AbandonedConversationsService,
    CallNoticesService,
    ConversationCreationService,
    ConversationsService,
    MessagesService,
    ReadPositionsService,
    RecallsService,
  ],
})
export class MessagingModule {}
