import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { startMariadb } from './throwaway-mariadb.js';

type Server = Awaited<ReturnType<typeof startMariadb>>;

/**
 * Options of both servers of a pair: each can be the primary, and each acknowledges received transactions as a replica.
 */
const REPLICATION = [
  '--log-bin=binlog',
  '--log-slave-updates',
  '--binlog-format=ROW',
  '--rpl-semi-sync-slave-enabled=ON',
  // A COMMIT is acknowledged, and becomes visible to other connections, when the replica has received it.
  '--rpl-semi-sync-master-wait-point=AFTER_SYNC',
  '--rpl-semi-sync-master-timeout=600000',
];
const WAIT_SECONDS = 60;

/** A MariaDB server in a semi-synchronous replication pair, with the operations of a failover script. */
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

  /** Makes this server a replica. Resolves when the primary waits for it at each COMMIT. */
  async follow(primary: PairedMariadb): Promise<void> {
    await this.run(`SET GLOBAL read_only = ON; SET GLOBAL rpl_semi_sync_master_enabled = OFF;
      CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${primary.port}, MASTER_USER = 'root', MASTER_USE_GTID = current_pos;
      START SLAVE`);
    await primary.run('SET GLOBAL rpl_semi_sync_master_enabled = ON');
    await this.#untilApplied(await primary.#position());
  }

  /**
   * Makes this server read-only. Resolves when the replica has applied everything written before. Connections stay
   * open.
   */
  async demote(replica: PairedMariadb): Promise<void> {
    await this.run('SET GLOBAL read_only = ON');
    await replica.#untilApplied(await this.#position());
  }

  /** Makes this server writable, after everything received from the old primary has been applied. */
  async promote(): Promise<void> {
    await this.run('STOP SLAVE IO_THREAD');
    const [status] = await this.run('SHOW SLAVE STATUS');
    await this.#untilApplied(String(status?.Gtid_IO_Pos));
    await this.run('STOP SLAVE; RESET SLAVE ALL; SET GLOBAL read_only = OFF');
  }

  async stop(): Promise<void> {
    this.operator.destroy();
    await this.server.stop();
  }

  async #position(): Promise<string> {
    const [row] = await this.run('SELECT @@GLOBAL.gtid_binlog_pos AS position');
    return String(row?.position);
  }

  async #untilApplied(position: string): Promise<void> {
    const [row] = await this.run(`SELECT MASTER_GTID_WAIT('${position}', ${WAIT_SECONDS}) AS outcome`);
    if (row?.outcome !== 0) throw new Error(`The replica has not applied ${position}`);
  }
}
