import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1, like one in front of database servers: new connections lead to the port chosen last. */
export class TcpProxy {
  readonly #connections = new Set<{ target: number; ends: Socket[] }>();

  private constructor(
    private readonly server: Server,
    private target: number,
  ) {
    server.on('connection', (client) => this.#forward(client));
  }

  static async start(target: number): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server, target);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Leads new connections to another port. Open connections are not affected. */
  moveTo(target: number): void {
    this.target = target;
  }

  /** Returns the number of open connections that lead to a port. */
  connectionsTo(target: number): number {
    return [...this.#connections].filter((connection) => connection.target === target).length;
  }

  /** Closes the connections that lead to a port. */
  disconnectAll(target: number): void {
    for (const connection of this.#connections)
      if (connection.target === target) for (const end of connection.ends) end.destroy();
  }

  async stop(): Promise<void> {
    for (const { target } of this.#connections) this.disconnectAll(target);
    this.server.close();
    await once(this.server, 'close');
  }

  #forward(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    const connection = { target: this.target, ends: [client, server] };
    this.#connections.add(connection);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.pipe(to);
      // A server that is down refuses the connection; the client's connection is closed.
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        this.#connections.delete(connection);
      });
    }
  }
}
