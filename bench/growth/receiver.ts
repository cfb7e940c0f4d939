import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const SERVER = `require('node:http')
  .createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()))
  .listen(0, '127.0.0.1', function () { process.stdout.write(String(this.address().port)); });`;

/** An integration that accepts every POST, in its own process. */
export class Receiver {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
    const child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return new Receiver(child, `http://127.0.0.1:${String(port)}/`);
  }

  stop = (): boolean => this.child.kill();
}
