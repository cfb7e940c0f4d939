import { join } from 'node:path';

/** The steps of an act's way at which a process can be killed, in their order; `claimed` is there for what others have left. */
export type Step = 'written' | 'committed' | 'claimed' | 'deleted' | 'routing' | 'routed';

/** The environment of a service in which somebody wants these types of acts (all by default) and keeps what is routed. */
export const actEnvironment = (types: readonly string[] = [], killAt?: Step): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--require=${join(__dirname, 'routed-acts.js')}`,
  ROUTED_ACTS: types.join(','),
  ...(killAt && { KILL_AT: killAt }),
});
