import Database from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { Readiness } from '../../src/operations/readiness';
import { onMysql, type TestDatabase } from '../support/database';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';
import { startMariadb } from '../support/throwaway-mariadb.js';

const UNAVAILABLE = { code: 503, message: '服务暂不可用', data: null };

describe('Faults', () => {
  it('return 500 without details for a defect, and the service continues', async () => {
    const test = await createTestApp();
    const user = await test.api.as({ id: 1 });
    await user.get('/api/calls/active');
    await test.query('DROP TABLE call_counts');
    const response = await user.get('/api/calls');
    expect(response.body).toEqual({ code: 500, message: '服务器内部错误', data: null });
    expect(response.status).toBe(500);
    expect((await user.get('/api/calls/active')).body.code).toBe(0);
    await test.close();
  });

  it('make a stopping instance not ready while it still responds', async () => {
    const test = await createTestApp();
    test.app.get(Readiness).stop();
    const ready = await test.api.get('/health/ready');
    expect([ready.status, ready.body.status]).toEqual([503, 'unavailable']);
    expect((await test.api.get('/health/live')).status).toBe(200);
    await test.close();
  });

  it('make an instance without connections for transactions not ready', async () => {
    const test = await createTestApp();
    const connections = onMysql() ? 10 : 1;
    const runners = Array.from({ length: connections }, () => test.app.get(DataSource).createQueryRunner());
    await Promise.all(runners.map((runner) => runner.startTransaction()));
    const ready = await test.api.get('/health/ready');
    expect([ready.status, ready.body.checks]).toEqual([503, { database: 'down' }]);
    await Promise.all(runners.map((runner) => runner.rollbackTransaction()));
    await Promise.all(runners.map((runner) => runner.release()));
    await eventually(
      () => test.api.get('/health/ready'),
      ({ status }) => status === 200,
    );
    await test.close();
  });

  it('return 503 in the envelope without a database, and the process survives', async () => {
    const { test, block: takeAway, unblock: giveBack } = await startWithControlledDatabase();
    const user = await test.api.as({ id: 1 });
    const other = await test.api.as({ id: 2 });
    await user.get('/api/calls/active');
    await other.get('/api/calls/active');
    await takeAway();
    const response = await user.post('/api/calls', { callee_id: 2 });
    expect(response.body).toEqual(UNAVAILABLE);
    expect(response.status).toBe(503);
    expect((await test.api.get('/health/live')).status).toBe(200);
    await giveBack();
  });
});

interface ControlledDatabase {
  test: TestApp;
  block: () => Promise<void>;
  unblock: () => Promise<void>;
}

/** Starts the service on its own database: a server that the test can stop, or a file that it can lock. */
async function startWithControlledDatabase(): Promise<ControlledDatabase> {
  if (onMysql()) {
    const server = await startMariadb();
    const database: TestDatabase = { url: `${server.url}/test`, drop: async () => undefined };
    await createDatabase(server.url);
    const test = await createTestApp({ database });
    return { test, block: server.stop, unblock: () => test.close() };
  }
  const test = await createTestApp();
  const file = new Database(test.database.url.slice('sqlite:'.length));
  return {
    test,
    block: async () => void file.exec('BEGIN IMMEDIATE'),
    unblock: async () => {
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
