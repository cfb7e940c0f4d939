/** A time of a raw row: MySQL's driver makes a date of it, SQLite has the text that TypeORM wrote, in UTC. */
export type RawMoment = Date | string;

export const toDate = (value: RawMoment): Date =>
  value instanceof Date ? value : new Date(`${value.replace(' ', 'T')}Z`);

/** A time as a parameter of raw SQL, for either database: `2026-01-31 08:00:00.000`, in UTC. */
export const fromDate = (value: Date): string => value.toISOString().replace('T', ' ').slice(0, -1);
