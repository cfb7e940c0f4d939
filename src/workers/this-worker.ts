import cluster from 'node:cluster';
import { Link } from './link';
import { Workers, type WorkerPlace } from './workers';

/** Variables that the primary sets for its workers. Not part of the configuration. */
const SERVICE = 'CALLBOARD_SERVICE_ID';
const NUMBER = 'CALLBOARD_WORKER';

/** Returns the environment of a worker. */
export const toEnvironment = ({ serviceId, number }: WorkerPlace): NodeJS.ProcessEnv => ({
  [SERVICE]: serviceId,
  [NUMBER]: String(number),
});

/** Returns the `Workers` of this process, connected to the primary if a primary has started it. */
export function workersOfProcess(env: NodeJS.ProcessEnv): Workers {
  if (!cluster.isWorker) return new Workers();
  return new Workers(new Link(process), { serviceId: env[SERVICE] ?? '', number: Number(env[NUMBER]) });
}
