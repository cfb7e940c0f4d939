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

/** What `npm run build` makes of `web`, beside what it makes of this. */
const PAGES = join(__dirname, '../web');

/** Connections that wait to be taken, as far as the system allows; beyond it they seem open and are reset a minute later. */
const BACKLOG = 4_096;

async function main(): Promise<void> {
  // What cannot be written, to a full disk or a reader that is gone, is no reason to stop.
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
