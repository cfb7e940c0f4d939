import { Column, type ColumnOptions, PrimaryColumn } from 'typeorm';

/** MySQL hands bigints over as text; every id and counter here fits a JavaScript integer. */
const asNumber = {
  to: (value: number | null | undefined) => value,
  from: (value: string | number | null): number | null => (value === null ? null : Number(value)),
};

/** The table's own id: allotted by the database. */
export const GeneratedId = (): PropertyDecorator =>
  Column({ type: 'bigint', primary: true, generated: 'increment', transformer: asNumber });

/** An id or another integer that may pass 2^31. */
export const BigInteger = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'bigint', transformer: asNumber, ...options });

/** An id that is (part of) the primary key and comes from elsewhere. */
export const PrimaryBigInteger = (): PropertyDecorator =>
  PrimaryColumn({ type: 'bigint', transformer: asNumber });

/** A moment in UTC with milliseconds, always given by the application's clock. */
export const Moment = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'datetime', precision: 3, ...options });
