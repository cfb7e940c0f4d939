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
