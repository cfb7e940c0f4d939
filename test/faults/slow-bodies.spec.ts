import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { connectMany, postHead, type RawSocket } from '../support/raw-sockets';
import { eventually, ServiceProcess } from '../support/service-process';
import { NEVER_MS, timingEnvironment } from '../support/timings';
import { signToken } from '../support/tokens';

const SLOTS = 20;
const ATTACKER = '127.0.0.2';
const LOGIN = '/api/auth/login';
const TOO_MANY = '{"code":429,"message":"请求过于频繁","data":null}';
const MEBIBYTE = 1024 * 1024;
const OTHERS = 50;

describe('A slow client', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let opened: RawSocket[] = [];
  beforeAll(async () => {
    database = await createMigratedDatabase();
    service = await ServiceProcess.start(database.url, {
      MAX_REQUESTS_IN_FLIGHT: String(SLOTS),
      // Disables the other limits, which would close connections on a slow machine.
      ...timingEnvironment({
        requestWithinMs: NEVER_MS,
        bodyGrowsWithinMs: NEVER_MS,
      }),
    });
    await service.send(1, 'GET', '/api/calls/active');
  });
  afterEach(() => {
    for (const { socket } of opened) socket.destroy();
    opened = [];
  });
  afterAll(async () => {
    await service?.kill();
    await database?.drop();
  });

  const attack = async (count: number, { url } = service): Promise<RawSocket[]> => {
    opened = await connectMany(count, url, ATTACKER);
    return opened;
  };
  const countOpen = async (): Promise<number> => opened.filter(({ isOpen }) => isOpen()).length;
  /** Asserts that fifty requests of another address, half of them with a body, are served. */
  const expectOthersServed = async (): Promise<void> => {
    const codes = new Set<number>();
    for (let index = 0; index < OTHERS; index += 1) {
      const isSending = index % 2 === 0;
      const body = isSending ? { type: 'group', name: `Group ${index}` } : undefined;
      const path = isSending ? '/api/messages/conversations' : '/api/calls/active';
      codes.add((await service.send(1, isSending ? 'POST' : 'GET', path, body)).code);
    }
    expect([...codes]).toEqual([0]);
  };

  it('takes no slot, and has few unfinished bodies', async () => {
    for (const { socket } of await attack(10 * SLOTS)) socket.write(`${postHead(LOGIN, 1000)}{`);
    await expectOthersServed();
    expect(await eventually(countOpen, (open) => open <= 32)).toBe(32);
    const refused = opened.filter(({ isOpen }) => !isOpen());
    expect(refused).toHaveLength(10 * SLOTS - 32);
    for (const { received } of refused) expect(received()).toContain(TOO_MANY);
    await expectOthersServed();
  });

  it('cannot fill the memory', async () => {
    const large = postHead(LOGIN, MEBIBYTE) + ' '.repeat(MEBIBYTE - 1);
    for (const { socket } of await attack(100)) socket.write(large);
    // 100 bodies of 1 MiB share 16 MiB.
    expect(await eventually(countOpen, (open) => open <= 16)).toBeLessThanOrEqual(16);
    await expectOthersServed();
  });

  const disconnects = async (timings: Parameters<typeof timingEnvironment>[0]): Promise<void> => {
    const strict = await ServiceProcess.start(database.url, timingEnvironment(timings));
    const [slow] = await attack(1, strict);
    slow?.socket.write(`${postHead(LOGIN, 1000)}{`);
    expect(await slow?.closed).toMatch(
      /^HTTP\/1\.1 400 [^]*connection: close[^]*"code":400,"message":"请求无效"/i,
    );
    await strict.kill();
  };

  it('is disconnected when it sends almost nothing', () => disconnects({ bodyGrowsWithinMs: 300 }));

  it('is disconnected when its body is not complete in time', () =>
    disconnects({ bodyGrowsWithinMs: NEVER_MS, requestWithinMs: 300 }));

  it('is served when the body is completed', async () => {
    const [slow] = await attack(1);
    slow?.socket.write(`${postHead(LOGIN, 2)}{`);
    await expectOthersServed();
    slow?.socket.write('}');
    const answered = async (): Promise<string> => slow?.received() ?? '';
    expect(await eventually(answered, (text) => text !== '')).toContain('"code":422');
  });

  const get = async (path: string): Promise<string> =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await signToken({ sub: '1' })}\r\n\r\n`;

  it('cannot accumulate responses behind an event stream', async () => {
    const [stream] = await attack(1);
    stream?.socket.write(await get('/api/events'));
    const received = async (): Promise<string> => stream?.received() ?? '';
    await eventually(received, (text) => text.includes(': callboard'));
    stream?.socket.write((await get('/api/calls/active')).repeat(2 * SLOTS));
    await expectOthersServed();
    expect((await stream?.closed)?.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('has few concurrent requests on one connection', async () => {
    const [pipelined] = await attack(1);
    pipelined?.socket.write((await get('/api/calls/active')).repeat(2000));
    const answered = ((await pipelined?.closed) ?? '').match(/HTTP\/1\.1/g) ?? [];
    expect(answered.length).toBeLessThan(100);
    await expectOthersServed();
  });
});
