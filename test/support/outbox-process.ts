import { join } from 'node:path';

/**
 * Steps in the processing of a domain event at which a process can be killed, in order. `claimed` occurs only for
 * events that another instance has left behind.
 */
export type KillStep = 'written' | 'committed' | 'claimed' | 'deleted' | 'dispatching' | 'dispatched';

/**
 * Environment of a service with a consumer that subscribes to these types (default: all) and stores what is dispatched.
 */
export const outboxEnvironment = (types: readonly string[] = [], killAt?: KillStep): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--require=${join(__dirname, 'outbox-recorder.js')}`,
  DISPATCHED_TYPES: types.join(','),
  ...(killAt && { KILL_AT: killAt }),
});
