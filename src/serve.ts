import { join } from 'node:path';
import { Clock } from './common/clock';
import { authWarnings } from './config/auth-config';
import type { Config } from './config/config';
import { mediaWarnings } from './config/media-config';
import { proxyWarnings } from './config/trusted-proxies';
import { createApp } from './create-app';
import { DemoClock } from './demo/demo-clock';
import { DemoData } from './demo/demo-data';
import { describeDemoData } from './demo/describe-demo-data';
import { hasPages } from './pages/serve-pages';
import { describeStart } from './describe-start';
import { shutDownOnSignals } from './shutdown';
import { workersOfProcess } from './workers/this-worker';

/** Folder of the built web app, next to the folder of the built service. */
const PAGES = join(__dirname, '../web');

/**
 * Length of the queue for incoming connections, as far as the system allows. Further ones appear open and are reset a
 * minute later.
 */
const BACKLOG = 4_096;

/**
 * Starts the application in this process: the only one of the service, or one of its workers.
 * @param notes log lines about the configuration
 */
export async function serve(config: Config, notes: readonly string[]): Promise<void> {
  const workers = workersOfProcess(process.env);
  // The first worker creates the demo data before the others start.
  const demo = config.demoData && workers.isFirst ? new DemoClock() : undefined;
  const app = await createApp(config, { clock: demo ?? new Clock(), pages: PAGES, workers });
  shutDownOnSignals(app);
  const log = app.getHttpAdapter().getInstance().log;
  const warnings = [
    ...notes,
    ...authWarnings(config.auth),
    ...mediaWarnings(config.media, config.mode),
    ...proxyWarnings(config.trustProxy),
  ];
  if (workers.isFirst) for (const warning of warnings) log.warn(warning);
  const people = demo ? await app.get(DemoData).seed(demo) : [];
  await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  workers.reportReady();
  log.info(describeStart(config, await app.getUrl()));
  process.stdout.write(describeDemoData(people, { port: config.port, hasPages: hasPages(config, PAGES) }));
}
