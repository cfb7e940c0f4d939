import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { RowDataPacket } from 'mysql2/promise';
import { newUserIds } from '../support/calls';
import { onMysql, onServer, type TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { EventReader } from '../support/event-reader';
import { eventually, ServiceProcess } from '../support/service-process';
import { WEBRTC } from '../support/signals';

/** Addresses that occur nowhere else. */
const ADDRESSES = ['203.0.113.177', '2001:db8:5ac:e117::77'];
const candidateOf = (index: number): object => ({
  candidate: `candidate:${index} 1 udp 2113937151 ${ADDRESSES[index % 2]} 50000 typ host`,
  sdpMid: '0',
  sdpMLineIndex: 0,
});

describe('The addresses of a call', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let folder: string;
  const [callerId = 0, calleeId = 0] = newUserIds(2);
  const readers: EventReader[] = [];

  beforeAll(async () => {
    database = await createMigratedDatabase();
    folder = dirname(database.url.replace('sqlite:', ''));
    service = await ServiceProcess.start(database.url, { ...WEBRTC, LOG_LEVEL: 'trace' });
  });
  afterAll(async () => {
    for (const reader of readers) reader.close();
    await service?.kill();
    await database?.drop();
  });

  const isIn = (text: string): boolean => ADDRESSES.some((address) => text.includes(address));

  /** Returns all rows of every table as text, without a checkpoint of SQLite's log. */
  async function tables(): Promise<[name: string, rows: string][]> {
    if (onMysql())
      return onServer(database.url, async (connection) => {
        const [names] = await connection.query<RowDataPacket[]>({ sql: 'SHOW TABLES', rowsAsArray: true });
        const found: [string, string][] = [];
        for (const [name] of names as unknown as string[][])
          found.push([name ?? '', JSON.stringify((await connection.query(`SELECT * FROM ${name}`))[0])]);
        return found;
      });
    const file = new Database(database.url.replace('sqlite:', ''), { readonly: true });
    const names = file
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .pluck()
      .all() as string[];
    const found = names.map((name): [string, string] => [
      name,
      JSON.stringify(file.prepare(`SELECT * FROM ${name}`).all()),
    ]);
    file.close();
    return found;
  }

  async function tablesWithAddresses(): Promise<string[]> {
    const all = await tables();
    expect(all.length).toBeGreaterThan(30);
    return all.filter(([, rows]) => isIn(rows)).map(([name]) => name);
  }

  /** Breaks the service from inside, so that requests with signals return 500. */
  async function dropSignals(): Promise<void> {
    if (onMysql())
      return onServer(database.url, async (on) => void (await on.query('DROP TABLE call_signals')));
    const file = new Database(database.url.replace('sqlite:', ''));
    file.exec('DROP TABLE call_signals');
    file.close();
  }

  const filesWithAddresses = (): string[] =>
    readdirSync(folder).filter((name) => isIn(readFileSync(join(folder, name)).toString('latin1')));

  it('remain nowhere after its end: no table, event, log line or byte of the file', async () => {
    for (const userId of [callerId, calleeId]) {
      await service.send(userId, 'GET', '/api/calls/active');
      readers.push(await EventReader.open(service.url, { userId }));
    }
    const placed = await service.send(callerId, 'POST', '/api/calls', {
      callee_id: calleeId,
      terminal_id: 'desk',
    });
    const path = `/api/calls/${placed.data.call_id}`;
    await service.send(calleeId, 'POST', `${path}/accept`, { terminal_id: 'phone' });
    for (let count = 0; count < 40; count += 1) {
      const sdp = `v=0\r\n${`c=IN IP4 ${ADDRESSES[0]}\r\n`.repeat(1 + (count % 5) * 200)}`;
      const candidates = Array.from({ length: 20 }, (_, index) => candidateOf(index));
      for (const [userId, terminal_id] of [
        [callerId, 'desk'],
        [calleeId, 'phone'],
      ] as const) {
        const body = {
          terminal_id,
          signal_id: `signal ${count}`,
          session_id: 's',
          description: { type: 'offer', sdp },
          candidates,
        };
        expect(await service.send(userId, 'POST', `${path}/signals`, body)).toMatchObject({ code: 0 });
      }
    }
    // Rejected and failed requests do not reveal anything either.
    const refused = { terminal_id: 'desk', signal_id: 'x', session_id: 's', candidates: [candidateOf(0)] };
    expect(await service.send(calleeId, 'POST', `${path}/signals`, refused)).toMatchObject({ code: 41006 });
    for (const reader of readers)
      await reader.until(() => reader.types.filter((type) => type === 'call.signal').length === 40);
    expect(readers.every(({ frames }) => isIn(JSON.stringify(frames)))).toBe(true);
    expect(await tablesWithAddresses()).toEqual(['call_signals']);

    await service.send(callerId, 'POST', `${path}/hangup`, { terminal_id: 'desk' });
    expect(await tablesWithAddresses()).toEqual([]);
    for (const userId of [callerId, calleeId]) {
      const { data } = await service.send(userId, 'GET', '/api/events/poll?limit=500');
      expect(data.items.filter(({ type }: { type: string }) => type === 'call.signal')).toHaveLength(40);
      expect(isIn(JSON.stringify(data))).toBe(false);
    }
    await dropSignals();
    const second = (await service.send(callerId, 'POST', '/api/calls', { callee_id: calleeId })).data.call_id;
    await service.send(calleeId, 'POST', `/api/calls/${second}/accept`);
    const failing = { signal_id: 'x', session_id: 's', candidates: [candidateOf(0), candidateOf(1)] };
    expect(await service.send(callerId, 'POST', `/api/calls/${second}/signals`, failing)).toMatchObject({
      code: 500,
    });
    const failures = async (): Promise<number> =>
      service.lines.filter((line) => line.includes('request failed')).length;
    expect(await eventually(failures, (count) => count > 0)).toBe(1);

    // SQLite's log still contains earlier writes.
    if (!onMysql()) expect(filesWithAddresses()).toContain('test.sqlite-wal');
    expect(await service.stop()).toBe(0);
    expect(service.lines.length).toBeGreaterThan(80);
    expect(service.lines.filter(isIn)).toEqual([]);
    if (!onMysql()) expect(filesWithAddresses()).toEqual([]);
  });
});
