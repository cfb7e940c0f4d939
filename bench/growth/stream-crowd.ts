import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/*
 * Ten thousand listeners in a process of their own, so that their memory does not count as the service's.
 * Messages in: {url, tokens}. Messages out: 'open' when every stream has begun; then, for each event that was heard
 * by all, the milliseconds at which the first and the last heard it.
 */

interface Order {
  port: number;
  tokens: string[];
}

/** A crowd of listeners, one per token. */
export interface Crowd {
  /** When everybody has heard the event that is published meanwhile: milliseconds since 1970. */
  allHeard(): Promise<number>;
  leave(): void;
}

/** Opens a stream for each token and waits until all have begun. */
export async function gather(url: string, tokens: string[]): Promise<Crowd> {
  const child = fork(__filename, { stdio: 'inherit' });
  child.send({ port: Number(new URL(url).port), tokens } satisfies Order);
  await once(child, 'message');
  return {
    allHeard: async () => ((await once(child, 'message')) as [number])[0],
    leave: () => void child.kill(),
  };
}

const OPENERS = 50;

async function listen({ port, tokens }: Order): Promise<void> {
  let heard = 0;
  const onText = (text: string): void => {
    heard += text.split('\nevent: bench').length - 1;
    if (heard < tokens.length) return;
    heard -= tokens.length;
    process.send?.(Date.now());
  };
  const queue = [...tokens];
  const open = async (): Promise<void> => {
    for (let token = queue.pop(); token !== undefined; token = queue.pop()) {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      socket.write(`GET /api/events HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      await begun(socket);
      socket.on('data', onText);
    }
  };
  await Promise.all(Array.from({ length: OPENERS }, open));
  process.send?.('open');
}

function begun(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('data', (text) => {
      if (String(text).startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(String(text)));
    });
    socket.once('error', reject);
  });
}

if (process.send) {
  process.once('message', (order: Order) => {
    listen(order).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    });
  });
}
