import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startControlServer } from './control-server';
import { readSeed } from './seed-file';
import { SeededService } from './seeded-service';

/** Where a seeded service listens: ports, 0 for any free one. */
export interface SeededOptions {
  port: number;
  controlPort: number;
}

/**
 * Starts a service with the data of a seed file and its control server, prints one line of JSON with the state and the
 * control URL, and runs until SIGINT or SIGTERM.
 * @throws {Error} if the file is invalid or one of its requests fails
 */
export async function runSeeded(file: string, { port, controlPort }: SeededOptions): Promise<void> {
  const service = await SeededService.start(readSeed(file), port);
  const host = process.env.HOST ?? '127.0.0.1';
  const control = await startControlServer(service, { port: controlPort, host });
  const { port: actual } = control.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ control: `http://127.0.0.1:${actual}`, ...service.state })}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  control.closeAllConnections();
  control.close();
  await service.close();
}
