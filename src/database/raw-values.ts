/** A moment read by raw SQL: MySQL's driver gives a Date, SQLite the text that TypeORM wrote, in UTC. */
export const toDate = (value: Date | string): Date =>
  value instanceof Date ? value : new Date(`${value.replace(' ', 'T')}Z`);
