import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

const ID = 600_001;
const ROW = `INSERT INTO users (id, name, name_key, role, status, created_at) VALUES (${ID}, 'x', 'x', 'user', 1, NOW(3))`;

describe('New users on MySQL', () => {
  let one: TestApp;
  let two: TestApp;
  let other: Connection;
  beforeAll(async () => {
    one = await createTestApp();
    two = await createTestApp({ database: one.database, clock: one.clock });
    other = await createConnection(one.database.url.replace(/^mariadb:/, 'mysql:'));
  });
  afterAll(async () => {
    await other?.end();
    await two?.close();
    await one?.close();
  });

  const countWaiting = async (): Promise<number> => {
    const [rows] = await other.query<RowDataPacket[]>(
      `SELECT COUNT(*) AS n FROM information_schema.processlist
        WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE 'INSERT INTO%users%'`,
    );
    return Number(rows[0]?.n);
  };

  it('are created when concurrent requests deadlock on an account with their id', async () => {
    await other.query('BEGIN');
    await other.query(ROW);
    const responses = [one, two, one].map(async ({ api }) => (await api.as({ id: ID })).get('/api/auth/me'));
    expect(await eventually(countWaiting, (waiting) => waiting >= responses.length)).toBe(responses.length);
    await other.query('ROLLBACK');
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
