import type { Role } from '../../common/auth/principal';

/** The recipients of a notification: all users, the users with a role, or named users. */
export type Audience = 'all' | 'users' | `role:${Role}`;

interface Addressed {
  /** Null: named users. */
  broadcast_seq: number | null;
  role: Role | null;
}

/** Returns the audience of an announcement. */
export function announcementAudience({ broadcast_seq, role }: Addressed): Audience {
  if (role !== null) return `role:${role}`;
  return broadcast_seq === null ? 'users' : 'all';
}
