import type { Socket } from 'node:net';
import { createPool, type Pool, type PoolConnection } from 'mysql2';
import { send, type Value } from '../../bench/floor/pipeline';
import { createTestDatabase, type TestDatabase } from '../support/database';

const INSERT = 'INSERT INTO things (id) VALUES (?)';
const SELECT = 'SELECT id FROM things WHERE id = ?';

/** The floor of the benchmark uses internals of mysql2: an upgrade that changes them fails here. */
describe('Pipelined statements of the benchmark', () => {
  let database: TestDatabase;
  let pool: Pool;
  let connection: PoolConnection;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPool({ uri: database.url.replace(/^mariadb:/, 'mysql:'), connectionLimit: 1 });
    connection = await new Promise((resolve, reject) => {
      pool.getConnection((error, opened) => (error === null ? resolve(opened) : reject(error)));
    });
    await run('CREATE TABLE things (id BIGINT PRIMARY KEY)');
    // Prepares both statements.
    await run(INSERT, 1);
    await run(SELECT, 1);
  });
  afterAll(async () => {
    connection?.release();
    await new Promise<void>((resolve) => pool?.end(() => resolve()));
    await database?.drop();
  });

  const run = (sql: string, ...values: Value[]): Promise<unknown> => send(connection, sql, values);
  const writtenBytes = (): number => (connection as unknown as { stream: Socket }).stream.bytesWritten;

  it('are all written before the first response', async () => {
    const before = writtenBytes();
    const results = Promise.all([run(INSERT, 2), run(SELECT, 2), run(SELECT, 1)]);
    const written = writtenBytes();
    expect(written).toBeGreaterThan(before);
    expect(await results).toMatchObject([{ affectedRows: 1 }, [{ id: 2 }], [{ id: 1 }]]);
    expect(writtenBytes()).toBe(written);
  });

  it('return the results of the statements after a failed one', async () => {
    const [first, second, third] = await Promise.allSettled([run(INSERT, 3), run(INSERT, 3), run(SELECT, 3)]);
    expect(first).toMatchObject({ status: 'fulfilled' });
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'ER_DUP_ENTRY' } });
    expect(third).toMatchObject({ status: 'fulfilled', value: [{ id: 3 }] });
  });

  it('keep their order when one of them has to be prepared first', async () => {
    const deletion = 'DELETE FROM things WHERE id = ?';
    const results = await Promise.all([run(SELECT, 1), run(deletion, 1), run(SELECT, 1)]);
    expect(results).toMatchObject([[{ id: 1 }], { affectedRows: 1 }, []]);
  });

  it('may have more values than are prepared', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => index + 100);
    const marks = ids.map(() => '?').join(', ');
    const [inserted, found] = await Promise.all([
      run(`INSERT INTO things (id) VALUES ${ids.map(() => '(?)').join(', ')}`, ...ids),
      run(`SELECT id FROM things WHERE id IN (${marks})`, ...ids),
    ]);
    expect(inserted).toMatchObject({ affectedRows: 100 });
    expect(found).toHaveLength(100);
  });
});
