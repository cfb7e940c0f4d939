import 'reflect-metadata';
import { loadConfig } from './config/config';
import { withLocalSecrets } from './config/local-secrets';
import { createApp } from './create-app';
import { DemoData } from './demo/demo-data';
import { describeDemoData } from './demo/describe-demo-data';
import { shutDownOnSignals } from './shutdown';

async function main(): Promise<void> {
  const { config, notes } = withLocalSecrets(loadConfig(process.env));
  const app = await createApp(config);
  shutDownOnSignals(app);
  const log = app.getHttpAdapter().getInstance().log;
  for (const note of notes) log.warn(note);
  const people = config.demoData ? await app.get(DemoData).plant() : [];
  await app.listen(config.port, config.host);
  process.stdout.write(describeDemoData(people, config.port));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
