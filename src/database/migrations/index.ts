import { CreateUsers1763600001000 } from './1763600001000-CreateUsers';
import { CreateConversations1763600005000 } from './1763600005000-CreateConversations';

/** Every migration, oldest first. */
export const MIGRATIONS = [CreateUsers1763600001000, CreateConversations1763600005000];
