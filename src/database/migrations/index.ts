import * as migrations from './all';

/** Every migration, oldest first. The last 13 digits of a name are its time. */
export const MIGRATIONS = Object.values(migrations).toSorted(
  (a, b) => Number(a.name.slice(-13)) - Number(b.name.slice(-13)),
);
