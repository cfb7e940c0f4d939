/** A time of a raw row: MySQL's driver makes a date of it, SQLite has the text that TypeORM wrote, in UTC. */
export type RawMoment = Date | string;

export const toDate = (value: RawMoment): Date =>
  value instanceof Date ? value : new Date(`${value.replace(' ', 'T')}Z`);
