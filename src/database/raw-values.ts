import type { EntityManager } from 'typeorm';
import { DateUtils } from 'typeorm/util/DateUtils';

/** A time of a raw row: MySQL's driver makes a date of it, SQLite has the text that TypeORM wrote, in UTC. */
export type RawMoment = Date | string;

/** What stands for a time among the parameters of a raw statement. */
export const toMoment = (em: EntityManager, date: Date): RawMoment =>
  em.dataSource.options.type === 'better-sqlite3' ? DateUtils.mixedDateToUtcDatetimeString(date) : date;

export const toDate = (value: RawMoment): Date =>
  value instanceof Date ? value : new Date(`${value.replace(' ', 'T')}Z`);
