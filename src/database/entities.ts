import { UserEntity } from '../identity/entities/user.entity';
import { ConversationCountEntity } from '../messaging/entities/conversation-count.entity';
import { ConversationMemberEntity } from '../messaging/entities/conversation-member.entity';
import { ConversationEntity } from '../messaging/entities/conversation.entity';
import { FirstReadEntity, FirstReadGapEntity } from '../messaging/entities/first-read.entity';
import { MessageIdEntity } from '../messaging/entities/message-id.entity';
import { MessageRecallEntity } from '../messaging/entities/message-recall.entity';
import { MessageEntity } from '../messaging/entities/message.entity';
import { ReadIntervalEntity } from '../messaging/entities/read-interval.entity';

/** Every table's entity. An explicit list works the same in tests, in the build and in TypeORM's command line. */
export const ENTITIES = [
  UserEntity,
  ConversationEntity,
  ConversationMemberEntity,
  ConversationCountEntity,
  MessageEntity,
  MessageIdEntity,
  MessageRecallEntity,
  ReadIntervalEntity,
  FirstReadEntity,
  FirstReadGapEntity,
];
