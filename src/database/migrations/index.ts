import { CreateUsers1763600001000 } from './1763600001000-CreateUsers';
import { CreateCalls1763600002000 } from './1763600002000-CreateCalls';
import { CreateDeviceGroups1763600003000 } from './1763600003000-CreateDeviceGroups';
import { CreateNotifications1763600004000 } from './1763600004000-CreateNotifications';
import { CreateConversations1763600005000 } from './1763600005000-CreateConversations';
import { CreateSessions1763600006000 } from './1763600006000-CreateSessions';
import { CreateEvents1763600007000 } from './1763600007000-CreateEvents';
import { ShareEventPayloads1763700010000 } from './1763700010000-ShareEventPayloads';
import { CountRecallsAhead1763700020000 } from './1763700020000-CountRecallsAhead';
import { CountUnreadOfUsers1763700021000 } from './1763700021000-CountUnreadOfUsers';
import { CreateCallLists1763700030000 } from './1763700030000-CreateCallLists';
import { AddMediaReturns1763700031000 } from './1763700031000-AddMediaReturns';
import { NamePeersOfSingleChats1763700050000 } from './1763700050000-NamePeersOfSingleChats';
import { NoteAbandonedConversations1763700060000 } from './1763700060000-NoteAbandonedConversations';
import { StoreRunsOfEvents1763700070000 } from './1763700070000-StoreRunsOfEvents';
import { NameUsersByProviders1763800010000 } from './1763800010000-NameUsersByProviders';
import { ShowSessions1763800011000 } from './1763800011000-ShowSessions';
import { DateProfiles1763800012000 } from './1763800012000-DateProfiles';
import { EndMuting1763800020000 } from './1763800020000-EndMuting';
import { CountDevices1763800021000 } from './1763800021000-CountDevices';
import { KeepNotificationData1763800022000 } from './1763800022000-KeepNotificationData';
import { LengthenEndReasons1763800023000 } from './1763800023000-LengthenEndReasons';
import { CreateCallSignals1763800030000 } from './1763800030000-CreateCallSignals';
import { FindPeople1763900000000 } from './1763900000000-FindPeople';
import { BlockPeople1763900001000 } from './1763900001000-BlockPeople';
import { TellWhoIsThere1763900002000 } from './1763900002000-TellWhoIsThere';
import { AnswerAndMention1763910000000 } from './1763910000000-AnswerAndMention';
import { MarkMessages1763920000000 } from './1763920000000-MarkMessages';
import { CreateOutbox1764000000000 } from './1764000000000-CreateOutbox';
import { CreateApiKeys1764010000000 } from './1764010000000-CreateApiKeys';
import { CreateWebhooks1764020000000 } from './1764020000000-CreateWebhooks';
import { RememberCreations1764030000000 } from './1764030000000-RememberCreations';
import { CreateAuditLog1764100000000 } from './1764100000000-CreateAuditLog';
import { FindCalls1764110000000 } from './1764110000000-FindCalls';
import { CreateStatistics1764120000000 } from './1764120000000-CreateStatistics';
import { CreateAnnouncements1764130000000 } from './1764130000000-CreateAnnouncements';
import { SortUsersByLastSeen1764131000000 } from './1764131000000-SortUsersByLastSeen';
import { ConnectDevices1764140000000 } from './1764140000000-ConnectDevices';
import { NameKeysOfSessions1764150000000 } from './1764150000000-NameKeysOfSessions';
import { PositionCalls1764200000000 } from './1764200000000-PositionCalls';
import { LogDomainEvents1764210000000 } from './1764210000000-LogDomainEvents';
import { MapInboxes1764220000000 } from './1764220000000-MapInboxes';
import { SearchMessages1764300000000 } from './1764300000000-SearchMessages';
import { CreateAttachments1764310000000 } from './1764310000000-CreateAttachments';
import { AttachFilesToMessages1764311000000 } from './1764311000000-AttachFilesToMessages';
import { CreateAvatarUses1764312000000 } from './1764312000000-CreateAvatarUses';
import { CreateResumableUploads1764320000000 } from './1764320000000-CreateResumableUploads';
import { CreatePush1764400000000 } from './1764400000000-CreatePush';
import { CreatePreferences1764410000000 } from './1764410000000-CreatePreferences';
import { ArchiveNotifications1764411000000 } from './1764411000000-ArchiveNotifications';
import { ListAllSessions1764420000000 } from './1764420000000-ListAllSessions';
import { SumAttachments1764450000000 } from './1764450000000-SumAttachments';
import { TraceDomainEvents1764460000000 } from './1764460000000-TraceDomainEvents';
import { BatchDomainEvents1764470000000 } from './1764470000000-BatchDomainEvents';
import { AddResponsiveEndpoints1764480000000 } from './1764480000000-AddResponsiveEndpoints';
import { CountReadNotices1764490000000 } from './1764490000000-CountReadNotices';

/** Every migration, oldest first. */
export const MIGRATIONS = [
  CreateUsers1763600001000,
  CreateCalls1763600002000,
  CreateDeviceGroups1763600003000,
  CreateNotifications1763600004000,
  CreateConversations1763600005000,
  CreateSessions1763600006000,
  CreateEvents1763600007000,
  ShareEventPayloads1763700010000,
  CountRecallsAhead1763700020000,
  CountUnreadOfUsers1763700021000,
  CreateCallLists1763700030000,
  AddMediaReturns1763700031000,
  NamePeersOfSingleChats1763700050000,
  NoteAbandonedConversations1763700060000,
  StoreRunsOfEvents1763700070000,
  NameUsersByProviders1763800010000,
  ShowSessions1763800011000,
  DateProfiles1763800012000,
  EndMuting1763800020000,
  CountDevices1763800021000,
  KeepNotificationData1763800022000,
  LengthenEndReasons1763800023000,
  CreateCallSignals1763800030000,
  FindPeople1763900000000,
  BlockPeople1763900001000,
  TellWhoIsThere1763900002000,
  AnswerAndMention1763910000000,
  MarkMessages1763920000000,
  CreateOutbox1764000000000,
  CreateApiKeys1764010000000,
  CreateWebhooks1764020000000,
  RememberCreations1764030000000,
  CreateAuditLog1764100000000,
  FindCalls1764110000000,
  CreateStatistics1764120000000,
  CreateAnnouncements1764130000000,
  SortUsersByLastSeen1764131000000,
  ConnectDevices1764140000000,
  NameKeysOfSessions1764150000000,
  PositionCalls1764200000000,
  LogDomainEvents1764210000000,
  MapInboxes1764220000000,
  SearchMessages1764300000000,
  CreateAttachments1764310000000,
  AttachFilesToMessages1764311000000,
  CreateAvatarUses1764312000000,
  CreateResumableUploads1764320000000,
  CreatePush1764400000000,
  CreatePreferences1764410000000,
  ArchiveNotifications1764411000000,
  ListAllSessions1764420000000,
  SumAttachments1764450000000,
  TraceDomainEvents1764460000000,
  BatchDomainEvents1764470000000,
  AddResponsiveEndpoints1764480000000,
  CountReadNotices1764490000000,
];
