import './node-version';
import './compile-cache';
import 'reflect-metadata';
import cluster from 'node:cluster';
import { loadConfig } from './config/config';
import { withLocalSecrets } from './config/local-secrets';
import { shrinkHeap } from './shrink-heap';

async function main(): Promise<void> {
  // Write errors, of a full disk or a closed pipe, must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const { config, notes } = withLocalSecrets(loadConfig(process.env));
  // Loaded only where it is used: the primary serves no requests, and is 30 MiB smaller than a worker.
  if (config.workers > 1 && cluster.isPrimary) await (await import('./run-primary.js')).runPrimary(config);
  else await (await import('./serve.js')).serve(config, notes);
  shrinkHeap();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
