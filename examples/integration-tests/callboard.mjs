import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Starts Callboard with the data of a seed file. CALLBOARD is the command, by default that of the image; it may be
 * `docker run -i --rm -p 3000:3000 -p 3001:3001 …`.
 */
export async function startCallboard(seedFile) {
  const [command, ...args] = (process.env.CALLBOARD ?? 'callboard').split(' ');
  const child = spawn(command, [...args, 'demo', '--seed', seedFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const failed = new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`callboard exited with ${code}`)));
  });
  const started = new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const { control, url, users, ids } = JSON.parse(await Promise.race([started, failed]));
  failed.catch(() => undefined);
  const post = (path, body) =>
    fetch(`${control}${path}`, { method: 'POST', body: body && JSON.stringify(body) });
  return {
    ids,
    users,
    /** Sends a request as a user of the seed file, and returns the `data` of the response. */
    async as(user, method, path, body) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${users[user].token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const { code, message, data } = await response.json();
      if (code !== 0) throw new Error(`${method} ${path}: ${code} ${message}`);
      return data;
    },
    reset: () => post('/reset'),
    advanceClock: (seconds) => post('/clock', { advance_seconds: seconds }),
    async stop() {
      child.kill();
      await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}
