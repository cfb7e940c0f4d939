import type { Extra } from './message-content';

/* Reading what the databases return where TypeORM does not do it. */

/** JSON that was stored by this module. */
export const extraOf = (raw: string | null): Extra | null =>
  raw === null ? null : (JSON.parse(raw) as Extra);

/** `?, ?, ?` for as many values. */
export const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');
