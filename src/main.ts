import './node-version';
import './compile-cache';
import 'reflect-metadata';
import { join } from 'node:path';
import { Clock } from './common/clock';
import { authWarnings } from './config/auth-config';
import { loadConfig } from './config/config';
import { withLocalSecrets } from './config/local-secrets';
import { mediaWarnings } from './config/media-config';
import { proxyWarnings } from './config/trusted-proxies';
import { createApp } from './create-app';
import { DemoClock } from './demo/demo-clock';
import { DemoData } from './demo/demo-data';
import { describeDemoData } from './demo/describe-demo-data';
import { hasPages } from './pages/serve-pages';
import { describeStart } from './describe-start';
import { shutDownOnSignals } from './shutdown';

/** Folder of the built web app, next to the folder of the built service. */
const PAGES = join(__dirname, '../web');

/**
 * Length of the queue for incoming connections, as far as the system allows. Further ones appear open and are reset a
 * minute later.
 */
const BACKLOG = 4_096;

async function main(): Promise<void> {
  // Write errors, of a full disk or a closed pipe, must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const { config, notes } = withLocalSecrets(loadConfig(process.env));
  const demo = config.demoData ? new DemoClock() : undefined;
  const app = await createApp(config, { clock: demo ?? new Clock(), pages: PAGES });
  shutDownOnSignals(app);
  const log = app.getHttpAdapter().getInstance().log;
  const warnings = [
    ...authWarnings(config.auth),
    ...mediaWarnings(config.media, config.mode),
    ...proxyWarnings(config.trustProxy),
  ];
  for (const note of [...notes, ...warnings]) log.warn(note);
  const people = demo ? await app.get(DemoData).seed(demo) : [];
  await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  log.info(describeStart(config, await app.getUrl()));
  process.stdout.write(describeDemoData(people, { port: config.port, hasPages: hasPages(config, PAGES) }));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
