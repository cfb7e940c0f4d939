import Database from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { Readiness } from '../../src/operations/readiness';
import { onMysql, type TestDatabase } from '../support/database';
import { createTestApp, type TestApp } from '../support/test-app';
import { startMariadb } from '../support/throwaway-mariadb.js';

const UNAVAILABLE = { code: 503, message: '服务暂不可用', data: null };

describe('Faults', () => {
  it('a defect is a 500 that tells nothing, and the service goes on', async () => {
    const test = await createTestApp();
    const user = await test.api.as({ id: 1 });
    await user.get('/api/calls/active');
    await test.query('DROP TABLE call_lists');
    const answer = await user.get('/api/calls');
    expect(answer.body).toEqual({ code: 500, message: '服务器内部错误', data: null });
    expect(answer.status).toBe(500);
    expect((await user.get('/api/calls/active')).body.code).toBe(0);
    await test.close();
  });

  it('an instance that is stopping is not ready, and still answers', async () => {
    const test = await createTestApp();
    test.app.get(Readiness).stop();
    const ready = await test.api.get('/health/ready');
    expect([ready.status, ready.body.status]).toEqual([503, 'unavailable']);
    expect((await test.api.get('/health/live')).status).toBe(200);
    await test.close();
  });

  it('an instance whose transactions get no connection is not ready', async () => {
    const test = await createTestApp();
    const connections = onMysql() ? 10 : 1;
    const runners = Array.from({ length: connections }, () => test.app.get(DataSource).createQueryRunner());
    await Promise.all(runners.map((runner) => runner.startTransaction()));
    const ready = await test.api.get('/health/ready');
    expect([ready.status, ready.body.checks]).toEqual([503, { database: 'down' }]);
    await Promise.all(runners.map((runner) => runner.rollbackTransaction()));
    await Promise.all(runners.map((runner) => runner.release()));
    expect((await test.api.get('/health/ready')).status).toBe(200);
    await test.close();
  });

  it('a database that is gone is a 503 in the envelope, and the process lives on', async () => {
    const { test, takeAway, giveBack } = await serviceWithOwnDatabase();
    const user = await test.api.as({ id: 1 });
    const other = await test.api.as({ id: 2 });
    await user.get('/api/calls/active');
    await other.get('/api/calls/active');
    await takeAway();
    const answer = await user.post('/api/calls', { callee_id: 2 });
    expect(answer.body).toEqual(UNAVAILABLE);
    expect(answer.status).toBe(503);
    expect((await test.api.get('/health/live')).status).toBe(200);
    await giveBack();
  });
});

interface OwnDatabase {
  test: TestApp;
  takeAway: () => Promise<void>;
  giveBack: () => Promise<void>;
}

/** The service on a database that only this test uses: a server to stop, or a file to lock from outside. */
async function serviceWithOwnDatabase(): Promise<OwnDatabase> {
  if (onMysql()) {
    const server = await startMariadb();
    const database: TestDatabase = { url: `${server.url}/test`, drop: async () => undefined };
    await createDatabase(server.url);
    const test = await createTestApp({ database });
    return { test, takeAway: server.stop, giveBack: () => test.close() };
  }
  const test = await createTestApp();
  const file = new Database(test.database.url.slice('sqlite:'.length));
  return {
    test,
    takeAway: async () => void file.exec('BEGIN IMMEDIATE'),
    giveBack: async () => {
      file.close();
      await test.close();
    },
  };
}

async function createDatabase(server: string): Promise<void> {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection(server.replace('mariadb:', 'mysql:'));
  await connection.query('CREATE DATABASE test');
  await connection.end();
}
