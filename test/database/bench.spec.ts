import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DataSource } from 'typeorm';
import { checkSeed } from '../../bench/seed/check';
import { planOf } from '../../bench/seed/plan';
import { seed } from '../../bench/seed/seed';
import { loadDatabaseConfig } from '../../src/config/database-config';
import { createDataSource } from '../../src/database/data-source';
import { createTestDatabase, onMysql, type TestDatabase } from '../support/database';
import { expectConsistentMessaging } from '../support/messaging-invariants';

const run = promisify(execFile);
const SCALE = 0.01;

/** The part of the output of `--cpu` that the test checks. */
interface PrintedCosts {
  costs: {
    part: string;
    name: string;
    connections: number;
    costs: Record<'service' | 'floor', { statements: number }>;
  }[];
}

/** The part of the benchmark's output that the test checks. */
interface Printed {
  speeds: { results: { part: string; name: string; service: { perSecond: number }; baseline?: object }[] }[];
}

describe('The benchmark', () => {
  describe('The data set', () => {
    let database: TestDatabase;
    let dataSource: DataSource;
    beforeAll(async () => {
      database = await createTestDatabase();
      const config = loadDatabaseConfig({ DATABASE_URL: database.url });
      await seed(config, planOf(SCALE));
      dataSource = await createDataSource(config).initialize();
    });
    afterAll(async () => {
      await dataSource?.destroy();
      await database?.drop();
    });

    it('has notification counters that need no repair', async () => {
      await checkSeed(database.url);
    });

    it('fails its check when a counter is wrong', async () => {
      await dataSource.query(
        "UPDATE notification_types SET unread = unread + 1 WHERE user_id = 1 AND type = 'order'",
      );
      await expect(checkSeed(database.url)).rejects.toThrow('unread of "order" was 151, is 150');
    });

    it('has the search filters, which the service would otherwise build while it is measured', async () => {
      const filtered = await dataSource.query<{ id: number; messages: number; last: number }[]>(
        `SELECT c.id, c.max_seq AS messages, MAX(f.to_seq) AS last FROM conversations c
         LEFT JOIN message_filters f ON f.conversation_id = c.id WHERE c.max_seq >= 128 GROUP BY c.id ORDER BY c.id`,
      );
      expect(filtered).toEqual([
        { id: 1, messages: 10_000, last: 9_984 },
        { id: 2, messages: 300, last: 256 },
      ]);
    });

    it('has consistent read positions, counts and logs', async () => {
      await expectConsistentMessaging(dataSource);
    });

    it('has device group paths that follow from their parents', async () => {
      const path = onMysql()
        ? "CONCAT(COALESCE(p.path, '/'), g.id, '/')"
        : "COALESCE(p.path, '/') || g.id || '/'";
      expect(
        await dataSource.query(
          `SELECT g.id FROM device_groups g LEFT JOIN device_groups p ON p.id = g.parent_id
           WHERE g.path <> ${path} OR g.depth <> COALESCE(p.depth, 0) + 1`,
        ),
      ).toEqual([]);
      const [{ deepest, most }] = await dataSource.query<[{ deepest: number; most: number | string }]>(
        `SELECT MAX(depth) AS deepest, (SELECT MAX(n) FROM
           (SELECT COUNT(*) AS n FROM device_groups GROUP BY parent_id) children) AS most FROM device_groups`,
      );
      expect({ deepest, most: Number(most) }).toEqual({ deepest: 10, most: 99 });
    });

    it('is loaded only into an empty database', async () => {
      const config = loadDatabaseConfig({ DATABASE_URL: database.url });
      await expect(seed(config, planOf(SCALE))).rejects.toThrow('requires an empty database');
    });
  });

  it('loads the data for both servers with one command', async () => {
    const database = await createTestDatabase();
    const name = `baseline_${process.pid}`;
    const command = run(
      process.execPath,
      ['dist/bench/seed/run.js', '--scale', String(SCALE), '--baseline', name],
      { env: { PATH: process.env.PATH, DATABASE_URL: database.url } },
    );
    if (!onMysql()) {
      await expect(command).rejects.toThrow('The baseline requires MariaDB');
      await database.drop();
      return;
    }
    await command;
    const dataSource = await createDataSource(
      loadDatabaseConfig({ DATABASE_URL: database.url }),
    ).initialize();
    const inbox = (table: string): Promise<unknown> =>
      dataSource.query(`SELECT COUNT(*) AS n FROM ${table} WHERE user_id = 1`);
    expect(await inbox('notifications')).toEqual([{ n: 3000 }]);
    expect(await inbox(`${name}.notifications`)).toEqual([{ n: 3000 }]);
    expect(
      await dataSource.query(
        `SELECT type, total, unread, BIT_COUNT(CONV(HEX(SUBSTRING(unread_bits, 1, 4)), 16, 10)) AS of_32
         FROM ${name}.inbox_lists WHERE user_id = 1 ORDER BY type`,
      ),
    ).toEqual([
      { type: '', total: 3000, unread: 900, of_32: 11 },
      { type: 'call_missed', total: 750, unread: 300, of_32: 13 },
      { type: 'news', total: 750, unread: 150, of_32: 6 },
      { type: 'order', total: 750, unread: 150, of_32: 7 },
      { type: 'system', total: 750, unread: 300, of_32: 13 },
    ]);
    await dataSource.query(`DROP DATABASE ${name}`);
    await dataSource.destroy();
    await database.drop();
  });

  it('receives the expected responses from both servers under load', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-test-'));
    const file = join(folder, 'figures.json');
    const other = onMysql() ? 'sqlite' : 'mariadb';
    await run(process.execPath, ['dist/bench/run.js', '--smoke', '--skip', other, '--json', file]);
    const { speeds } = JSON.parse(readFileSync(file, 'utf8')) as Printed;
    rmSync(folder, { recursive: true });
    const results = speeds.flatMap((speed) => speed.results);
    expect(results.map(({ part, name }) => `${part}: ${name}`)).toEqual([
      'notifications: unread count',
      'notifications: page 1',
      'notifications: a deep page',
      'notifications: page 1, type',
      'notifications: page 1, is_read',
      'notifications: page 1, type and is_read',
      'notifications: a deep page, type',
      'notifications: a deep page, is_read',
      'notifications: a deep page, type and is_read',
      'notifications: any page',
      'notifications: any page, is_read',
      'notifications: mark one read',
      'notifications: mark all read',
      'messaging: conversations, page 1',
      'messaging: history, page 1',
      'messaging: history, a deep page',
      'messaging: history of the largest group',
      'messaging: send to a single chat',
      'messaging: send to a group of 50',
      'messaging: send to the largest group',
      'messaging: one account to its 2,000 chats',
      'messaging: one account to a group of 50',
      'messaging: send to many groups',
      'device-groups: list, page 1',
      'device-groups: tree (brotli)',
      'device-groups: tree, unchanged (304)',
      'calls: call, accept, hang up',
    ]);
    expect(results.filter(({ baseline }) => (baseline !== undefined) !== onMysql())).toEqual([]);
  });

  it('measures what each line costs at 16 connections and at one, after the floor has left the same data as the service', async () => {
    if (!onMysql()) return;
    const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-test-'));
    const file = join(folder, 'costs.json');
    await run(process.execPath, ['dist/bench/run.js', '--cpu', '--smoke', '--only', 'calls', '--json', file]);
    const { costs } = JSON.parse(readFileSync(file, 'utf8')) as PrintedCosts;
    rmSync(folder, { recursive: true });
    expect(costs.map(({ part, name, connections }) => `${part}: ${name}: ${connections}`)).toEqual([
      'calls: call, accept, hang up: 16',
      'calls: call, accept, hang up: 1',
    ]);
    // 25 (statement-budgets.mysql-spec.ts), more or less those of background jobs.
    const [, alone] = costs;
    expect(alone?.costs.service.statements).toBeGreaterThan(20);
    expect(alone?.costs.floor.statements).toBeGreaterThan(20);
  });
});
