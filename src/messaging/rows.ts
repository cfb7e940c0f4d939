import type { InsertResult } from 'typeorm';
import type { Extra } from './message-content';

/* Reading what the databases return where TypeORM does not do it. */

/** A time of a raw row: MySQL's driver makes a date of it, SQLite has text in UTC. */
export type RawMoment = Date | string;

export const momentOf = (raw: RawMoment): Date =>
  raw instanceof Date ? raw : new Date(`${raw.replace(' ', 'T')}Z`);

/** JSON that was stored by this module. */
export const extraOf = (raw: string | null): Extra | null =>
  raw === null ? null : (JSON.parse(raw) as Extra);

/** `?, ?, ?` for as many values. */
export const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** The id that was allotted to an inserted row: TypeORM hands it over as text, past the column's transformer. */
export const insertedId = ({ identifiers: [row] }: InsertResult): number => Number(row?.id);
