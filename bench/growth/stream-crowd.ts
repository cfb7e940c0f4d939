import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/*
 * Ten thousand clients of the event stream in a separate process, so that their memory does not count as the service's.
 * Incoming messages: {url, tokens}. Outgoing messages: 'open' when every stream is open; then, for each event that all
 * clients have received, the times (in milliseconds) at which the first and the last client received it.
 */

interface Job {
  port: number;
  tokens: string[];
}

/** Many clients of the event stream, one per token. */
export interface StreamCrowd {
  /**
   * Resolves when all clients have received the next event, with the time of the last one in milliseconds since 1970.
   */
  untilAllReceived(): Promise<number>;
  close(): void;
}

/** Opens a stream for each token and resolves when all are open. */
export async function openStreams(url: string, tokens: string[]): Promise<StreamCrowd> {
  const child = fork(__filename, { stdio: 'inherit' });
  child.send({ port: Number(new URL(url).port), tokens } satisfies Job);
  await once(child, 'message');
  return {
    untilAllReceived: async () => ((await once(child, 'message')) as [number])[0],
    close: () => void child.kill(),
  };
}

const CONCURRENCY = 50;

async function listen({ port, tokens }: Job): Promise<void> {
  let received = 0;
  const onText = (text: string): void => {
    received += text.split('\nevent: bench').length - 1;
    if (received < tokens.length) return;
    received -= tokens.length;
    process.send?.(Date.now());
  };
  const queue = [...tokens];
  const open = async (): Promise<void> => {
    for (let token = queue.pop(); token !== undefined; token = queue.pop()) {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      socket.write(`GET /api/events HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      await untilStarted(socket);
      socket.on('data', onText);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, open));
  process.send?.('open');
}

function untilStarted(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('data', (text) => {
      if (String(text).startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(String(text)));
    });
    socket.once('error', reject);
  });
}

if (process.send) {
  process.once('message', (order: Job) => {
    listen(order).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    });
  });
}
