import type { Role } from '../../common/auth/principal';

/** Who is meant by what an administrator sends: everybody, those of a role, or some who are named. */
export type Audience = 'all' | 'users' | `role:${Role}`;

interface Addressed {
  /** Null of what was for some who were named. */
  broadcast_seq: number | null;
  role: Role | null;
}

/** Whom an announcement was for. */
export function audienceOf({ broadcast_seq, role }: Addressed): Audience {
  if (role !== null) return `role:${role}`;
  return broadcast_seq === null ? 'users' : 'all';
}
