import { connect, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { AuditLogEntity } from '../../src/audit/entities/audit-log.entity';
import { inChunks } from '../../src/common/concurrency/chunks';
import { insertRows } from '../../src/database/sql/statements';
import type { ApiClient } from '../support/api-client';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { eventually } from '../support/waiting';

const EXPORT = '/api/admin/audit/export';
const HEADER =
  '\uFEFFid,at,actor_type,actor_id,actor_name,ip,request_id,action,object_type,object_id,before,after\r\n';
const MANY = 6_000;
/** Number of turns of the event loop within which the next page would be requested. */
const TURNS = 100;

describe('The audit log export', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  beforeEach(async () => {
    await test.query('DELETE FROM audit_log');
    test.clock.set(START);
  });
  const sockets: Socket[] = [];
  afterEach(() => {
    jest.restoreAllMocks();
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(() => test?.close());

  const row = (more: Partial<AuditLogEntity> = {}): Partial<AuditLogEntity> => ({
    at: new Date('2026-01-31T07:00:00.000Z'),
    actor_type: 'user',
    actor_id: 1,
    actor_name: 'Boss',
    ip: '192.0.2.7',
    request_id: 'r1',
    action: 'user.update',
    object_type: 'user',
    object_id: '7',
    fields_before: '{"name":"a"}',
    fields_after: '{"name":"b","tags":["x",1]}',
    ...more,
  });

  async function write(rows: Partial<AuditLogEntity>[]): Promise<void> {
    for (const chunk of inChunks(rows))
      await insertRows(test.app.get(DataSource).manager, AuditLogEntity, chunk);
  }

  /** Inserts many rows of more than a kilobyte, a millisecond apart. */
  const writeMany = (): Promise<void> =>
    write(
      Array.from({ length: MANY }, (_, index) =>
        row({
          at: new Date(Date.parse('2026-01-31T07:00:00.000Z') + index),
          object_id: String(index),
          fields_after: JSON.stringify({ text: `${index} ${'x'.repeat(1_000)}` }),
        }),
      ),
    );

  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  /** Counts the requested pages, and those that are being read. Rejects the page with number `fail`. */
  const countPages = (fail?: number): { asked: number; inProgress: number } => {
    const pages = { asked: 0, inProgress: 0 };
    const { manager } = test.app.get(DataSource);
    const query = manager.query.bind(manager);
    jest.spyOn(manager, 'query').mockImplementation((sql, parameters) => {
      if (!sql.includes('FROM audit_log')) return query(sql, parameters);
      pages.asked += 1;
      if (pages.asked === fail) return Promise.reject(new Error('the database is away'));
      pages.inProgress += 1;
      return query(sql, parameters).finally(() => (pages.inProgress -= 1));
    });
    return pages;
  };

  /** Opens a paused reader, which the test resumes. */
  async function openReader(): Promise<Socket> {
    const socket = connect({ port: Number(new URL(await test.app.getUrl()).port), host: '127.0.0.1' });
    await once(socket, 'connect');
    sockets.push(socket.pause());
    socket.write(
      `GET ${EXPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: ${admin.headers.authorization}\r\n\r\n`,
    );
    return socket;
  }

  const until = (condition: () => boolean): Promise<boolean> =>
    eventually(async () => condition(), Boolean, { betweenMs: 5 });

  /** Waits until no page is being read and no further page was requested for many turns of the event loop. */
  async function untilPaused(pages: { asked: number; inProgress: number }): Promise<void> {
    for (let [asked, turns] = [0, 0]; turns < TURNS; turns += 1) {
      await nextTurn();
      if (pages.asked > asked || pages.inProgress > 0) turns = 0;
      ({ asked } = pages);
    }
  }

  it('has one JSON row per line, newest first, without the envelope', async () => {
    await write([row(), row({ at: new Date('2026-01-31T07:00:01.000Z'), actor_id: 2, fields_before: null })]);
    const reply = await admin.get(EXPORT);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.ndjson"',
      'cache-control': 'no-store',
    });
    expect(linesOf(reply.text)).toEqual([
      expect.objectContaining({ actor_id: 2, before: null }),
      {
        id: expect.any(Number),
        at: '2026-01-31T07:00:00.000Z',
        actor_type: 'user',
        actor_id: 1,
        actor_name: 'Boss',
        ip: '192.0.2.7',
        request_id: 'r1',
        action: 'user.update',
        object_type: 'user',
        object_id: '7',
        before: { name: 'a' },
        after: { name: 'b', tags: ['x', 1] },
      },
    ]);
    expect(linesOf((await admin.get(`${EXPORT}?actor_id=2`)).text)).toHaveLength(1);
  });

  it('has CSV for spreadsheets, without formulas', async () => {
    expect((await admin.get(`${EXPORT}?format=csv`)).text).toBe(HEADER);
    await write([row({ actor_name: '=cmd("x")', request_id: '-1', fields_before: null })]);
    const reply = await admin.get(`${EXPORT}?format=csv`);
    const { id } = linesOf((await admin.get(EXPORT)).text)[0] ?? {};
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(reply.headers['content-disposition']).toBe('attachment; filename="audit.csv"');
    expect(reply.text).toBe(
      `${HEADER}${String(id)},2026-01-31T07:00:00.000Z,user,1,"'=cmd(""x"")",192.0.2.7,'-1,user.update,user,7,,` +
        '"{""name"":""b"",""tags"":[""x"",1]}"\r\n',
    );
  });

  it('omits rows younger than 15 seconds', async () => {
    await write([
      row({ at: new Date('2026-01-31T07:59:44.999Z'), object_id: 'old' }),
      row({ at: new Date('2026-01-31T07:59:45.000Z'), object_id: 'young' }),
    ]);
    const objects = async (query = '') =>
      linesOf((await admin.get(EXPORT + query)).text).map(({ object_id }) => object_id);
    expect(await objects()).toEqual(['old']);
    expect(await objects('?to=2026-02-28')).toEqual(['old']);
    test.clock.advance(1);
    expect(await objects()).toEqual(['young', 'old']);
  });

  it('returns request errors in the envelope, and only headers for HEAD', async () => {
    const refused = await admin.get(`${EXPORT}?format=xlsx`);
    expect([refused.status, refused.body.message]).toEqual([422, 'format 取值无效']);
    expect((await admin.get(`${EXPORT}?cursor=x`)).status).toBe(200);
    countPages(1);
    const failed = await admin.get(EXPORT);
    expect([failed.status, failed.body]).toEqual([500, { code: 500, message: '服务器内部错误', data: null }]);
    expect(failed.headers['content-disposition']).toBeUndefined();
    jest.restoreAllMocks();
    await writeMany();
    const pages = countPages();
    const head = await admin.send('HEAD', EXPORT);
    expect([head.status, head.text, pages.asked]).toEqual([200, '', 0]);
    expect(head.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  });

  it.each([
    ['ndjson', 'gzip', null],
    ['csv', 'identity', null],
    ['csv', 'gzip', 'gzip'],
    ['csv', 'br', 'br'],
  ])('contains each row once, as %s for a client that accepts %s', async (format, accepted, encoding) => {
    await writeMany();
    const response = await fetch(`${await test.app.getUrl()}${EXPORT}?format=${format}`, {
      headers: { ...admin.headers, 'accept-encoding': accepted },
    });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    const text = await response.text();
    expect(Array.from(text.matchAll(/"text"+:"+(\d+) x/g), ([, number]) => number)).toEqual(
      Array.from({ length: MANY }, (_, index) => String(MANY - 1 - index)),
    );
  });

  it('buffers a few pages for a slow reader, and then continues to the end', async () => {
    await writeMany();
    const pages = countPages();
    const socket = await openReader();
    await until(() => pages.asked > 1);
    // Reading stops when the buffers of the sockets are full.
    await untilPaused(pages);
    expect(pages.asked).toBeLessThan(MANY / 200 - 5);
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.resume();
    await until(() => text.endsWith('0\r\n\r\n'));
    socket.destroy();
    expect(text.match(/"object_id":"\d+"/g)).toHaveLength(MANY);
  });

  it('stops reading when its client disconnects', async () => {
    await writeMany();
    const pages = countPages();
    const ended = new Promise((resolve) =>
      (test.app.getHttpServer() as Server).once('connection', (served) => served.once('close', resolve)),
    );
    const socket = await openReader();
    await until(() => pages.asked > 1);
    socket.destroy();
    await ended;
    const { asked } = pages;
    // Pages that were being read have been read after these requests.
    for (let request = 0; request < 5; request += 1) await admin.get('/api/admin/audit?actor_id=77');
    expect(pages.asked - 10).toBeLessThanOrEqual(asked + 1);
    expect(asked).toBeLessThan(MANY / 200);
  });

  it('disconnects a client that reads nothing for a long time', async () => {
    await writeMany();
    const accepted = once(test.app.getHttpServer() as Server, 'connection') as Promise<[Socket]>;
    const pages = countPages();
    const socket = await openReader();
    const [served] = await accepted;
    await until(() => pages.asked > 1);
    await untilPaused(pages);
    // The service's limit is 60 s; the test shortens it.
    expect(served.timeout).toBe(60_000);
    const closed = once(served, 'close');
    served.setTimeout(1);
    await closed;
    let received = 0;
    socket.on('data', (part: Buffer) => (received += part.length)).on('error', () => undefined);
    socket.resume();
    await once(socket, 'close');
    expect(received).toBeLessThan(MANY * 1_000);
    expect(pages.asked).toBeLessThan(MANY / 200);
  });

  it.each(['identity', 'gzip'])('aborts the connection when it fails midway (%s)', async (accepted) => {
    await writeMany();
    countPages(4);
    const response = await fetch(`${await test.app.getUrl()}${EXPORT}?format=csv`, {
      headers: { ...admin.headers, 'accept-encoding': accepted },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});
