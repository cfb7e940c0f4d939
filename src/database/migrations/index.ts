import { CreateUsers1763600001000 } from './1763600001000-CreateUsers';

/** Every migration, oldest first. */
export const MIGRATIONS = [CreateUsers1763600001000];
