import type { DataSource } from 'typeorm';
import { UserEntity } from '../../src/identity/entities/user.entity';

/** A row of the table of users. */
export const aUser = (id: number) => ({
  id,
  account: null,
  name: `User ${id}`,
  avatar: null,
  role: 'user' as const,
  status: 1,
  created_at: new Date('2026-01-31T08:00:00.123Z'),
});

/** Makes users known, as if each had come with a token. */
export async function insertUsers({ manager }: DataSource, ids: number[]): Promise<void> {
  await manager.insert(UserEntity, ids.map(aUser));
}
