import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { startMariadb } from './throwaway-mariadb.js';

type Server = Awaited<ReturnType<typeof startMariadb>>;

/** Options of both servers of a pair: each can be the primary, and each acknowledges the transactions that it receives as a replica. */
const REPLICATION = [
  '--log-bin=binlog',
  '--log-slave-updates',
  '--binlog-format=ROW',
  '--rpl-semi-sync-slave-enabled=ON',
  // A COMMIT is acknowledged, and visible to other connections, when the replica has received it.
  '--rpl-semi-sync-master-wait-point=AFTER_SYNC',
  '--rpl-semi-sync-master-timeout=600000',
];
const WAIT_SECONDS = 60;

/** A MariaDB server that replicates with another one (semi-synchronously), and what an operator's scripts do with it. */
export class PairedMariadb {
  private constructor(
    readonly server: Server,
    private readonly operator: Connection,
  ) {}

  static async start(serverId: number): Promise<PairedMariadb> {
    const server = await startMariadb([`--server-id=${serverId}`, ...REPLICATION]);
    const uri = server.url.replace('mariadb:', 'mysql:');
    return new PairedMariadb(server, await createConnection({ uri, multipleStatements: true }));
  }

  get port(): number {
    return Number(new URL(this.server.url).port);
  }

  async run(sql: string): Promise<RowDataPacket[]> {
    const [rows] = await this.operator.query<RowDataPacket[]>(sql);
    return rows;
  }

  /** Makes this server a replica; resolves when the primary waits for it with each COMMIT. */
  async follow(primary: PairedMariadb): Promise<void> {
    await this.run(`SET GLOBAL read_only = ON; SET GLOBAL rpl_semi_sync_master_enabled = OFF;
      CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${primary.port}, MASTER_USER = 'root', MASTER_USE_GTID = current_pos;
      START SLAVE`);
    await primary.run('SET GLOBAL rpl_semi_sync_master_enabled = ON');
    await this.#applies(await primary.#written());
  }

  /** Refuses writes from now on; resolves when everything written before has been applied by the replica. Connections stay. */
  async demote(replica: PairedMariadb): Promise<void> {
    await this.run('SET GLOBAL read_only = ON');
    await replica.#applies(await this.#written());
  }

  /** Takes writes from now on, after everything that was received of the old primary has been applied. */
  async promote(): Promise<void> {
    await this.run('STOP SLAVE IO_THREAD');
    const [status] = await this.run('SHOW SLAVE STATUS');
    await this.#applies(String(status?.Gtid_IO_Pos));
    await this.run('STOP SLAVE; RESET SLAVE ALL; SET GLOBAL read_only = OFF');
  }

  async stop(): Promise<void> {
    this.operator.destroy();
    await this.server.stop();
  }

  async #written(): Promise<string> {
    const [row] = await this.run('SELECT @@GLOBAL.gtid_binlog_pos AS position');
    return String(row?.position);
  }

  async #applies(position: string): Promise<void> {
    const [row] = await this.run(`SELECT MASTER_GTID_WAIT('${position}', ${WAIT_SECONDS}) AS outcome`);
    if (row?.outcome !== 0) throw new Error(`The replica has not applied ${position}`);
  }
}
