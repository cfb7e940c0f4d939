import { join } from 'node:path';

/**
 * Steps in the processing of a domain event at which a process can be killed, in order. `claimed` occurs only for
 * events that another instance has left behind.
 */
export type Step = 'written' | 'committed' | 'claimed' | 'deleted' | 'routing' | 'routed';

/**
 * Environment of a service with a consumer that subscribes to these types (default: all) and stores what is dispatched.
 */
export const actEnvironment = (types: readonly string[] = [], killAt?: Step): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--require=${join(__dirname, 'routed-acts.js')}`,
  ROUTED_ACTS: types.join(','),
  ...(killAt && { KILL_AT: killAt }),
});
