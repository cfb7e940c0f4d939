import { CreateUsers1763600001000 } from './1763600001000-CreateUsers';
import { CreateNotifications1763600004000 } from './1763600004000-CreateNotifications';

/** Every migration, oldest first. */
export const MIGRATIONS = [CreateUsers1763600001000, CreateNotifications1763600004000];
