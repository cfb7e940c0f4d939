import type { Socket } from 'node:net';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../src/common/clock';
import { loadDatabaseConfig } from '../../src/config/database-config';
import { ConnectionMutex } from '../../src/database/connection-mutex';
import { createDataSource } from '../../src/database/data-source';
import { limitWaiting } from '../../src/database/mysql/query-runner';
import { Transactions } from '../../src/database/transactions';
import { pipeline } from '../../src/database/transaction-statements';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { Gate } from '../support/gate';

const LIMIT_MS = 60_000;
const INSERT = 'INSERT INTO things (id) VALUES (?)';
const UPDATE = 'UPDATE things SET version = version + 1 WHERE id = ?';
/** Each is locked by a test. */
const [LOCKED, ALSO_LOCKED] = [1, 2];

const insert = (em: EntityManager, id: number): Promise<unknown> => em.query(INSERT, [id]);
const update = (em: EntityManager, id: number): Promise<unknown> => em.query(UPDATE, [id]);

/**
 * Returns a list that receives what is written to the connection of a transaction.
 * @param onPacket called after each write
 */
async function packetsOf(em: EntityManager, onPacket?: (packet: string) => void): Promise<string[]> {
  const connection = (await em.queryRunner?.connect()) as { stream: Socket };
  const { stream } = connection;
  const packets: string[] = [];
  const write = stream.write.bind(stream);
  jest.spyOn(stream, 'write').mockImplementation((packet, ...rest) => {
    packets.push(String(packet));
    onPacket?.(String(packet));
    return write(packet, ...(rest as []));
  });
  return packets;
}

describe('Pipelined transactions', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let transactions: Transactions;
  beforeAll(async () => {
    database = await createTestDatabase();
    const config = loadDatabaseConfig({ DATABASE_URL: database.url });
    const mutex = ConnectionMutex.for(config);
    dataSource = await createDataSource(config, mutex).initialize();
    await dataSource.query('CREATE TABLE things (id BIGINT PRIMARY KEY, version INT NOT NULL DEFAULT 0)');
    limitWaiting(dataSource, mutex, LIMIT_MS, true);
    transactions = new Transactions(dataSource, mutex, new Clock());
    await dataSource.query(`INSERT INTO things (id) VALUES (${LOCKED}), (${ALSO_LOCKED})`);
    // Prepares these statements on the only connection so far, which each of the following transactions uses.
    await transactions.run(async (em) => {
      await insert(em, 3);
      await update(em, 3);
    });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  const idsFrom = async (first: number): Promise<number[]> => {
    const rows: { id: number }[] = await dataSource.query('SELECT id FROM things WHERE id >= ? ORDER BY id', [
      first,
    ]);
    return rows.map(({ id }) => id);
  };

  /** Locks a row in another transaction, which the returned function ends after it has run `more`. */
  async function hold(
    id: number,
  ): Promise<(more?: (em: EntityManager) => Promise<unknown>) => Promise<void>> {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await update(runner.manager, id);
    return async (more) => {
      await more?.(runner.manager);
      await runner.rollbackTransaction();
      await runner.release();
    };
  }

  it('send statements while an earlier one waits for a lock, and COMMIT after all results', async () => {
    const end = await hold(LOCKED);
    const isSent = Promise.withResolvers<void>();
    let packets: string[] = [];
    const result = transactions.run(async (em) => {
      packets = await packetsOf(em, (packet) => {
        if (packet.includes('SELECT 1 AS sent')) isSent.resolve();
      });
      // Prepares the statement on this connection.
      await update(em, ALSO_LOCKED);
      pipeline(em, update(em, LOCKED));
      return em.query('SELECT 1 AS sent');
    });
    await isSent.promise;
    const hasCommit = (): boolean => packets.some((packet) => packet.endsWith('COMMIT'));
    expect(hasCommit()).toBe(false);
    await end();
    expect(await result).toEqual([{ sent: 1 }]);
    expect(hasCommit()).toBe(true);
  });

  it('send nothing if they have no statement', async () => {
    const packets = await transactions.run((em) => packetsOf(em));
    expect(packets).toEqual([]);
  });

  it('keep the order of the calls when a statement has to be prepared first', async () => {
    const deletion = 'DELETE FROM things WHERE id = ?';
    const results = await transactions.run((em) =>
      Promise.all([insert(em, 20), em.query(deletion, [20]), update(em, 20), insert(em, 20), update(em, 20)]),
    );
    expect(results).toMatchObject([1, 1, 0, 1, 1].map((affectedRows) => ({ affectedRows })));
  });

  it('roll back what the server has executed after a failed statement', async () => {
    let last: unknown;
    const failing = transactions.run(async (em) => {
      const results = [insert(em, 30), insert(em, 30), insert(em, 31)];
      last = await results[2];
      await Promise.all(results);
    });
    await expect(failing).rejects.toMatchObject({ driverError: { code: 'ER_DUP_ENTRY' } });
    expect(last).toMatchObject({ affectedRows: 1 });
    expect(await idsFrom(30)).toEqual([]);
  });

  it('retry after a deadlock, and keep nothing that the server has executed after it', async () => {
    const end = await hold(LOCKED);
    const executed: unknown[] = [];
    const waiting = new Gate();
    let attempts = 0;
    const retried = transactions.run(async (em) => {
      attempts += 1;
      if (attempts > 1) return insert(em, 43);
      await update(em, ALSO_LOCKED);
      const results = [
        insert(em, 40),
        update(em, LOCKED),
        insert(em, 41).then((result) => executed.push(result)),
      ];
      await waiting.pass();
      return Promise.allSettled(results);
    });
    await waiting.reached;
    // The server rolls back the transaction that has changed fewer rows.
    await end(async (em) => {
      const ids = Array.from({ length: 100 }, (_, index) => 1_000 + index);
      await em.query(`INSERT INTO things (id) VALUES ${ids.map((id) => `(${id})`).join(', ')}`);
      const deadlock = update(em, ALSO_LOCKED);
      waiting.open();
      await deadlock;
    });
    await retried;
    expect([attempts, executed]).toMatchObject([2, [{ affectedRows: 1 }]]);
    expect(await idsFrom(40)).toEqual([43]);
    await dataSource.query('DELETE FROM things WHERE id = 43');
  });

  it('roll back after a lock time-out, together with the statements before and after it', async () => {
    const end = await hold(LOCKED);
    const executed: unknown[] = [];
    const failing = transactions.run(
      async (em) => {
        const first = insert(em, 50);
        const waiting = em.query(`SET STATEMENT innodb_lock_wait_timeout = 0 FOR ${UPDATE}`, [LOCKED]);
        const results = [first, waiting, insert(em, 51).then((result) => executed.push(result))];
        await Promise.allSettled(results);
      },
      { failOnLockTimeout: true },
    );
    await expect(failing).rejects.toMatchObject({ driverError: { code: 'ER_LOCK_WAIT_TIMEOUT' } });
    await end();
    expect(executed).toHaveLength(1);
    expect(await idsFrom(50)).toEqual([]);
  });
});
