import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/**
 * Memory, processor time, garbage collection, open files and the delay of the event loop. They belong to the process,
 * not to an application in it, and are watched from the first time that somebody asks.
 */
export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}
