import type { Socket } from 'node:net';
import * as mysql2 from 'mysql2';
import { pipelineStatements } from '../../src/database/mysql/pipelining';
import { createTestDatabase, type TestDatabase } from '../support/database';

/*
 * The internals of mysql2 that `database/mysql/pipelining.ts` uses. An upgrade that changes them fails here.
 */
describe('mysql2 with pipelined statements', () => {
  const INSERT = 'INSERT INTO numbers (id) VALUES (?)';
  const SELECT = 'SELECT id FROM numbers WHERE id = ?';
  let database: TestDatabase;
  let pool: mysql2.Pool;
  let connection: mysql2.PoolConnection;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    // With two prepared statements, the third one closes the first.
    pool = mysql2.createPool({
      uri: database.url.replace(/^mariadb:/, 'mysql:'),
      connectionLimit: 1,
      maxPreparedStatements: 2,
    });
    connection = await new Promise((resolve, reject) =>
      pool.getConnection((error, opened) => (error ? reject(error) : resolve(opened))),
    );
    connection.on('error', () => undefined);
    pipelineStatements(connection);
    await ask('CREATE TEMPORARY TABLE numbers (id BIGINT PRIMARY KEY)');
    await execute(INSERT, 1);
    await execute(SELECT, 1);
  });
  afterEach(async () => {
    connection.destroy();
    await new Promise<void>((resolve) => pool.end(() => resolve()));
  });

  const ask = (sql: string): Promise<unknown> =>
    new Promise((resolve, reject) =>
      connection.query(sql, (error, rows) => (error ? reject(error) : resolve(rows))),
    );

  const execute = (sql: string, ...values: number[]): Promise<unknown> =>
    new Promise((resolve, reject) =>
      connection.execute(sql, values, (error, result) => (error ? reject(error) : resolve(result))),
    );
  const streamOf = (): Socket => (connection as unknown as { stream: Socket }).stream;
  const writtenBytes = (): number => streamOf().bytesWritten;

  it('writes prepared statements and texts before the first response', async () => {
    const before = writtenBytes();
    const results = Promise.all([execute(INSERT, 2), ask('DO 1'), execute(SELECT, 2), execute(SELECT, 1)]);
    const written = writtenBytes();
    expect(written).toBeGreaterThan(before);
    expect(await results).toMatchObject([{ affectedRows: 1 }, { affectedRows: 0 }, [{ id: 2 }], [{ id: 1 }]]);
    expect(writtenBytes()).toBe(written);
  });

  it('returns each error to its statement', async () => {
    const outcomes = await Promise.allSettled([execute(INSERT, 3), execute(INSERT, 3), execute(SELECT, 3)]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'ER_DUP_ENTRY' } },
      { status: 'fulfilled', value: [{ id: 3 }] },
    ]);
  });

  it('keeps the order when statements are prepared, and closed, in between', async () => {
    const remove = 'DELETE FROM numbers WHERE id = ?';
    const results = [execute(SELECT, 1), execute(remove, 1), execute(SELECT, 1), execute(INSERT, 1)];
    results.push(execute(remove, 1), execute(INSERT, 1), execute(SELECT, 1));
    expect(await Promise.all(results)).toMatchObject([
      [{ id: 1 }],
      { affectedRows: 1 },
      [],
      { affectedRows: 1 },
      { affectedRows: 1 },
      { affectedRows: 1 },
      [{ id: 1 }],
    ]);
  });

  it('rejects a statement whose value cannot be sent, and continues', async () => {
    const unsendable = {
      toJSON: () => {
        throw new Error('unsendable');
      },
    };
    const results = [execute(SELECT, 1), execute(SELECT, unsendable as never), execute(SELECT, 1)];
    expect(await Promise.allSettled(results)).toMatchObject([
      { status: 'fulfilled', value: [{ id: 1 }] },
      { status: 'rejected', reason: { message: 'unsendable' } },
      { status: 'fulfilled', value: [{ id: 1 }] },
    ]);
  });

  it('rejects all statements of a lost connection, and later ones', async () => {
    const sleeping = ask('DO SLEEP(60)');
    const results = [sleeping, execute(SELECT, 1), execute('DO ?', 1)];
    streamOf().destroy(new Error('lost'));
    const outcomes = await Promise.allSettled(results);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    pipelineStatements(connection);
    await expect(execute(SELECT, 1)).rejects.toMatchObject({ fatal: true });
  });
});
