import { CreateUsers1763600001000 } from './1763600001000-CreateUsers';
import { CreateCalls1763600002000 } from './1763600002000-CreateCalls';
import { CreateDeviceGroups1763600003000 } from './1763600003000-CreateDeviceGroups';
import { CreateNotifications1763600004000 } from './1763600004000-CreateNotifications';
import { CreateConversations1763600005000 } from './1763600005000-CreateConversations';
import { CreateSessions1763600006000 } from './1763600006000-CreateSessions';
import { CreateEvents1763600007000 } from './1763600007000-CreateEvents';

/** Every migration, oldest first. */
export const MIGRATIONS = [
  CreateUsers1763600001000,
  CreateCalls1763600002000,
  CreateDeviceGroups1763600003000,
  CreateNotifications1763600004000,
  CreateConversations1763600005000,
  CreateSessions1763600006000,
  CreateEvents1763600007000,
];
