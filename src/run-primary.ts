import pino from 'pino';
import { logDestinationFor } from './common/log-destination';
import { logOptions } from './common/server/server-options';
import { TIMINGS } from './common/timings';
import type { Config } from './config/config';
import { createDataSource } from './database/data-source';
import { migrate } from './database/migrate';
import { METRICS, totalsOf } from './operations/rules/worker-metrics.rules';
import { COUNT, sharedCounters } from './rate-limit/shared-counters';
import { Primary } from './workers/primary';

/**
 * Runs the primary process of several workers (`WEB_CONCURRENCY`): migrates the database, starts the workers, counts for
 * their rate limits, keeps the counters of ended ones, and stops them on SIGTERM and SIGINT.
 */
export async function runPrimary(config: Config): Promise<void> {
  await migrateOnce(config);
  const primary = new Primary({
    count: config.workers,
    log: pino(logOptions(config), await logDestinationFor(config)),
    shutdownWithinMs: TIMINGS.shutdownWithinMs,
    handlers: { [COUNT]: sharedCounters(Date.now) },
    kept: { [METRICS]: totalsOf },
    exit: (code) => process.exit(code),
  });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => primary.stop(signal));
  primary.start();
}

/** Migrates with the connections of the whole instance, which are closed before the workers open theirs. */
async function migrateOnce({ database }: Config): Promise<void> {
  const dataSource = await createDataSource(database).initialize();
  try {
    await migrate(dataSource, database);
  } finally {
    await dataSource.destroy();
  }
}
