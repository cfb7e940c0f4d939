import type { InsertResult } from 'typeorm';

/** The id that the database allotted to the one row of an insert. TypeORM tells bigint keys as text. */
export const insertedId = ({ identifiers }: InsertResult): number => Number(identifiers[0]?.id);
