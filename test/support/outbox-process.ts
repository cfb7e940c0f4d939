import { join } from 'node:path';

/**
 * Steps in the processing of a domain event at which a process can be killed, in order: its row is inserted; it is
 * committed and read without a position; its position is assigned, but not committed; that is committed, and the consumer
 * has read it; the consumer's position is moved, but not committed; it is handled, but not committed; that is committed.
 */
export type KillStep =
  | 'written'
  | 'committed'
  | 'numbering'
  | 'numbered'
  | 'advanced'
  | 'dispatching'
  | 'dispatched';

/**
 * Environment of a service with a consumer, `recorder`, that subscribes to these types (default: all) and stores what
 * is dispatched.
 * @param killConsumer the consumer whose steps are meant; default: `recorder`
 */
export const outboxEnvironment = (
  types: readonly string[] = [],
  killAt?: KillStep,
  killConsumer?: string,
): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--require=${join(__dirname, 'outbox-recorder.js')}`,
  DISPATCHED_TYPES: types.join(','),
  ...(killAt && { KILL_AT: killAt }),
  ...(killConsumer && { KILL_CONSUMER: killConsumer }),
});
