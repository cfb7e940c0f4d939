import type { DataSource } from 'typeorm';
import { UserEntity } from '../../src/identity/entities/user.entity';

/** Returns a row of the users table. */
export const userRow = (id: number) => ({
  id,
  account: null,
  name: `User ${id}`,
  avatar: null,
  role: 'user' as const,
  status: 1,
  created_at: new Date('2026-01-31T08:00:00.123Z'),
});

/** Inserts users, as if each had sent a request with a token. */
export async function insertUsers({ manager }: DataSource, ids: number[]): Promise<void> {
  await manager.insert(UserEntity, ids.map(userRow));
}
