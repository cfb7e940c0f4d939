import { UserEntity } from '../identity/entities/user.entity';
import { BroadcastEntity } from '../notifications/entities/broadcast.entity';
import { InboxEntity } from '../notifications/entities/inbox.entity';
import { NotificationCountEntity } from '../notifications/entities/notification-count.entity';
import { NotificationEntity } from '../notifications/entities/notification.entity';
import { ReceivedKeyEntity } from '../notifications/entities/received-key.entity';

/** Every table's entity. An explicit list works the same in tests, in the build and in TypeORM's command line. */
export const ENTITIES = [
  UserEntity,
  InboxEntity,
  NotificationEntity,
  NotificationCountEntity,
  BroadcastEntity,
  ReceivedKeyEntity,
];
