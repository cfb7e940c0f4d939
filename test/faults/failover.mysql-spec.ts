import { FaultHarness } from '../support/fault-harness';
import { PairedMariadb } from '../support/mariadb-pair';
import { eventually } from '../support/service-process';
import { TcpProxy } from '../support/tcp-proxy';

const UNAVAILABLE = { code: 503, message: '服务暂不可用', data: null };
const CONVERSATIONS = '/api/messages/conversations';
/**
 * More users than a pool has connections. Many requests of one user would take turns, and a slow machine would not serve
 * them in time.
 */
const MANY = Array.from({ length: 30 }, (_, index) => 1_000 + index);

describe('Failover of MariaDB under load', () => {
  let primary: PairedMariadb;
  let replica: PairedMariadb;
  let proxy: TcpProxy;
  let fixture: FaultHarness;
  beforeAll(async () => {
    [primary, replica] = await Promise.all([PairedMariadb.start(1), PairedMariadb.start(2)]);
    await replica.follow(primary);
    // A user with global privileges could write to a read-only server.
    await primary.run(`CREATE DATABASE callboard;
      CREATE USER callboard@'%' IDENTIFIED BY 'callboard'; GRANT ALL ON callboard.* TO callboard@'%'`);
    proxy = await TcpProxy.start(primary.port);
    const url = `mariadb://callboard:callboard@127.0.0.1:${proxy.port}/callboard`;
    const database = { url, drop: async () => undefined };
    fixture = await FaultHarness.open({ database, env: { REQUEST_TIMEOUT_SECONDS: '5' } });
  });
  afterAll(async () => {
    await fixture?.close();
    await proxy?.stop();
    await primary?.stop();
    await replica?.stop();
  });

  /** Makes the replica the primary and moves the address to it. */
  const failOver = async (): Promise<void> => {
    await replica.promote();
    proxy.moveTo(replica.port);
    [primary, replica] = [replica, primary];
  };

  let count = 0;
  const newName = (): string => `Failover ${(count += 1)}`;
  /** Creates a group. Repeated requests create it once. */
  const createGroup = (userId = 999, name = newName()) =>
    fixture.service.send(userId, 'POST', CONVERSATIONS, { type: 'group', name }, 'user', {
      'idempotency-key': name,
    });
  /** Repeats the request until it succeeds, as clients do. */
  const createGroupEventually = (userId = 999) => {
    const name = newName();
    return eventually(
      () => createGroup(userId, name),
      ({ code }) => code === 0,
    );
  };
  const countGroups = async (userId = 999): Promise<number> => {
    const list = await eventually(
      () => fixture.service.send(userId, 'GET', CONVERSATIONS),
      ({ code }) => code === 0,
    );
    return list.data.pagination.total;
  };

  it('returns 503 for writes from the demotion of the primary to the switch, loses nothing, and reads from the new one', async () => {
    await createGroupEventually();
    await fixture.underLoad(async () => {
      await fixture.untilAcknowledged(40);
      await primary.demote(replica);
      expect(await createGroup()).toEqual(UNAVAILABLE);
      expect(await countGroups()).toBe(1);
      await failOver();
      await createGroupEventually();
      await fixture.untilAcknowledged(40);
    });
    // The connections to the old primary are still open.
    await Promise.all(MANY.map((userId) => createGroupEventually(userId)));
    expect(await Promise.all(MANY.map((userId) => countGroups(userId)))).toEqual(MANY.map(() => 1));
    expect(await countGroups()).toBe(2);
    await replica.follow(primary);
    proxy.disconnectAll(replica.port);
    await fixture.check();
  });

  it('returns 503 from the loss of the primary to the switch, and loses no acknowledged write', async () => {
    await fixture.underLoad(async () => {
      await fixture.untilAcknowledged(40);
      await primary.server.halt('SIGKILL');
      expect(await fixture.untilReadiness((status) => status === 503)).toEqual([503, { database: 'down' }]);
      expect(await createGroup()).toEqual(UNAVAILABLE);
      await failOver();
      expect(await fixture.untilReadiness((status) => status === 200)).toEqual([200, { database: 'up' }]);
      await fixture.untilAcknowledged(40);
    });
    await createGroupEventually();
    await fixture.check();
  });
});
