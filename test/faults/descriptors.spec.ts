import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { connectMany, type RawSocket } from '../support/raw-sockets';
import { eventually, ServiceProcess } from '../support/service-process';
import { NEVER_MS, timingEnvironment } from '../support/timings';
import { MAX_WAIT_MS } from '../support/waiting';

const FEW_DESCRIPTORS = ['prlimit', '--nofile=512'];
const IDLE = 520;
const ATTACKER = '127.0.0.2';

describe('A process with few file descriptors', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let idle: RawSocket[] = [];
  beforeAll(async () => {
    database = await createMigratedDatabase();
    service = await ServiceProcess.start(
      database.url,
      timingEnvironment({ headersWithinMs: MAX_WAIT_MS, requestWithinMs: NEVER_MS }),
      FEW_DESCRIPTORS,
    );
  });
  afterAll(async () => {
    for (const { socket } of idle) socket.destroy();
    await service?.kill();
    await database?.drop();
  });

  it('serves other clients while one address holds many connections, and survives', async () => {
    idle = await connectMany(IDLE, service.url, ATTACKER);
    const metrics = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text();
    const openFiles = async (): Promise<number> =>
      Number(/^process_open_fds (\d+)$/m.exec(await metrics())?.[1]);
    expect(await eventually(openFiles, (count) => count > 300)).toBeGreaterThan(300);
    expect(await openFiles()).toBeLessThan(500);
    for (let user = 1; user <= 20; user += 1) {
      expect((await service.send(user, 'GET', '/api/calls/active')).code).toBe(0);
      const group = { type: 'group', name: `Group ${user}` };
      expect((await service.send(user, 'POST', '/api/messages/conversations', group)).code).toBe(0);
    }
    expect(await openFiles()).toBeGreaterThan(300);
    for (const { socket } of idle) socket.destroy();
    await eventually(openFiles, (count) => count < 100);
    expect((await service.send(1, 'GET', '/api/calls/active')).code).toBe(0);
    expect(await service.stop()).toBe(0);
  });
});
