import { AuditLogEntity } from '../audit/entities/audit-log.entity';
import { CallHistoryEntity } from '../calls/entities/call-history.entity';
import { CallListEntity, CallListEntryEntity } from '../calls/entities/call-list.entity';
import { CallMediaStateEntity } from '../calls/entities/call-media-state.entity';
import { CallSignalEntity } from '../calls/entities/call-signal.entity';
import { ActiveCallParticipantEntity } from '../calls/entities/active-call-participant.entity';
import { CallEntity } from '../calls/entities/call.entity';
import { DeviceGroupTreeEntity } from '../device-groups/entities/device-group-tree.entity';
import { DeviceGroupEntity } from '../device-groups/entities/device-group.entity';
import { DeviceMembershipEntity } from '../device-groups/entities/device-membership.entity';
import { DeviceTotalsEntity } from '../device-groups/entities/device-totals.entity';
import { DeviceEntity } from '../device-groups/entities/device.entity';
import { RefreshTokenEntity } from '../identity/entities/refresh-token.entity';
import { SessionEntity } from '../identity/entities/session.entity';
import { UserSequenceEntity } from '../identity/entities/user-sequence.entity';
import { CallMediaPresenceEntity } from '../calls/entities/call-media-presence.entity';
import { MediaWebhookEventEntity } from '../calls/entities/media-webhook-event.entity';
import { EventPayloadEntity } from '../events/entities/event-payload.entity';
import { EventEntity } from '../events/entities/event.entity';
import { EventCursorEntity } from '../events/entities/event-cursor.entity';
import { UserNamePartEntity } from '../identity/entities/user-name-part.entity';
import { UserEntity } from '../identity/entities/user.entity';
import { ApiKeyEntity } from '../keys/entities/api-key.entity';
import { AbandonedConversationEntity } from '../messaging/entities/abandoned-conversation.entity';
import { ConversationCountEntity } from '../messaging/entities/conversation-count.entity';
import { ConversationMemberEntity } from '../messaging/entities/conversation-member.entity';
import { ConversationEntity } from '../messaging/entities/conversation.entity';
import { FirstReadEntity, FirstReadGapEntity } from '../messaging/entities/first-read.entity';
import { MessageDeletionEntity } from '../messaging/entities/message-deletion.entity';
import { MessageIdEntity } from '../messaging/entities/message-id.entity';
import { MessageMentionEntity } from '../messaging/entities/message-mention.entity';
import { MessageNoticeEntity } from '../messaging/entities/message-notice.entity';
import {
  MessageReactionCountEntity,
  MessageReactionEntity,
} from '../messaging/entities/message-reaction.entity';
import { MessageRecallEntity } from '../messaging/entities/message-recall.entity';
import { MessageEntity } from '../messaging/entities/message.entity';
import { MuteEndEntity } from '../messaging/entities/mute-end.entity';
import { ReadIntervalEntity } from '../messaging/entities/read-interval.entity';
import {
  AnnouncementEntity,
  AnnouncementReachEntity,
  AnnouncementRecallEntity,
} from '../notifications/entities/announcement.entity';
import { InboxEntity } from '../notifications/entities/inbox.entity';
import { NotificationCountEntity } from '../notifications/entities/notification-count.entity';
import { NotificationEntity } from '../notifications/entities/notification.entity';
import { ReceivedKeyEntity } from '../notifications/entities/received-key.entity';
import { OutboxEntity } from '../outbox/entities/outbox.entity';
import { InstanceEntity, PresenceEntity, PresenceStreamEntity } from '../people/entities/presence.entity';
import { UserBlockEntity } from '../people/entities/user-block.entity';
import { DailyFigureEntity } from '../statistics/entities/daily-figure.entity';
import { InstanceStreamsEntity } from '../statistics/entities/instance-streams.entity';
import { UserActivityEntity } from '../statistics/entities/user-activity.entity';
import { WalkEntity } from '../statistics/entities/walk.entity';
import { WebhookDeliveryEntity } from '../webhooks/entities/webhook-delivery.entity';
import { WebhookEndpointEntity } from '../webhooks/entities/webhook-endpoint.entity';
import { WebhookEventEntity } from '../webhooks/entities/webhook-event.entity';
import { IdempotencyKeyEntity } from './idempotency/idempotency-key.entity';

/** The entities of all tables. An explicit list works the same in tests, in the build and in TypeORM's command line. */
export const ENTITIES = [
  UserEntity,
  UserSequenceEntity,
  UserNamePartEntity,
  UserBlockEntity,
  PresenceStreamEntity,
  PresenceEntity,
  InstanceEntity,
  SessionEntity,
  RefreshTokenEntity,
  ApiKeyEntity,
  CallEntity,
  ActiveCallParticipantEntity,
  CallHistoryEntity,
  CallListEntity,
  CallListEntryEntity,
  CallMediaStateEntity,
  CallSignalEntity,
  DeviceGroupEntity,
  DeviceGroupTreeEntity,
  DeviceEntity,
  DeviceTotalsEntity,
  DeviceMembershipEntity,
  InboxEntity,
  NotificationEntity,
  NotificationCountEntity,
  AnnouncementEntity,
  AnnouncementRecallEntity,
  AnnouncementReachEntity,
  ReceivedKeyEntity,
  ConversationEntity,
  ConversationMemberEntity,
  ConversationCountEntity,
  AbandonedConversationEntity,
  MuteEndEntity,
  MessageEntity,
  MessageIdEntity,
  MessageMentionEntity,
  MessageRecallEntity,
  MessageDeletionEntity,
  MessageNoticeEntity,
  MessageReactionEntity,
  MessageReactionCountEntity,
  ReadIntervalEntity,
  FirstReadEntity,
  FirstReadGapEntity,
  CallMediaPresenceEntity,
  MediaWebhookEventEntity,
  EventEntity,
  EventPayloadEntity,
  EventCursorEntity,
  OutboxEntity,
  WebhookEndpointEntity,
  WebhookEventEntity,
  WebhookDeliveryEntity,
  IdempotencyKeyEntity,
  AuditLogEntity,
  DailyFigureEntity,
  WalkEntity,
  UserActivityEntity,
  InstanceStreamsEntity,
];
