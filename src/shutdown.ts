import type { Socket } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { TIMINGS } from './common/timings';
import { Readiness } from './operations/readiness';

/** Interval at which connections without a request are closed during the shutdown. */
const CLOSE_IDLE_INTERVAL_MS = 50;

/**
 * Shuts the service down on SIGTERM and SIGINT: readiness fails immediately, requests in flight finish, and the process
 * exits with 0, after ten seconds at the latest, even if work is still running (API 16.3). Further signals have no
 * effect, because Ctrl-C under `npm start` sends two.
 */
export function shutDownOnSignals(app: NestFastifyApplication): void {
  let isStopping = false;
  const { log, server } = app.getHttpAdapter().getInstance();
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const closeIdle = (): void => {
    server.closeIdleConnections();
    // Node does not count a connection as idle before its first request. Browsers open some in advance.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
  const shutDown = (signal: string): void => {
    if (isStopping) return;
    isStopping = true;
    log.info(`${signal}: stopping`);
    app.get(Readiness).stop();
    setTimeout(() => process.exit(0), TIMINGS.shutdownWithinMs);
    // Connections with requests in flight become idle later, and clients keep them open.
    setInterval(closeIdle, CLOSE_IDLE_INTERVAL_MS);
    app.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', shutDown);
  process.on('SIGINT', shutDown);
}
