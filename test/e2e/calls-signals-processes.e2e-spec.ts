import { newUserIds } from '../support/calls';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { EventReader } from '../support/event-reader';
import { eventually, ServiceProcess } from '../support/service-process';
import { ANSWER, OFFER, WEBRTC } from '../support/signals';
import { NEVER_MS, timingEnvironment } from '../support/timings';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';

describe.each([['with Redis'], ['without Redis']])('Signals between two instances %s', (title) => {
  const withRedis = title === 'with Redis' && redisIsAvailable();
  let database: TestDatabase;
  let redis: ThrowawayRedis | undefined;
  let a: ServiceProcess;
  let b: ServiceProcess;
  let callerId: number;
  let calleeId: number;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    database = await createMigratedDatabase();
    redis = withRedis ? await ThrowawayRedis.start() : undefined;
    [a, b] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all([a?.kill(), b?.kill(), redis?.stop()]);
    await database?.drop();
  });
  beforeEach(async () => {
    [callerId = 0, calleeId = 0] = newUserIds(2);
    for (const id of [callerId, calleeId]) await a.send(id, 'GET', '/api/calls/active');
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  const start = (): Promise<ServiceProcess> =>
    ServiceProcess.start(database.url, {
      ...WEBRTC,
      ...(redis && { REDIS_URL: redis.url }),
      // The lease of a terminal is real time, and must outlast the start of a process.
      ...timingEnvironment({ terminalLeaseMs: NEVER_MS }),
    });
  const listen = async (to: ServiceProcess, userId: number, lastEventId?: number): Promise<EventReader> => {
    const reader = await EventReader.open(to.url, { userId, lastEventId });
    readers.push(reader);
    return reader;
  };
  const signalsIn = (reader: EventReader) =>
    reader.frames.filter(({ event }) => event === 'call.signal').map(({ data }) => data);
  const answeredCall = async (): Promise<number> => {
    const call = { callee_id: calleeId, terminal_id: 'desk' };
    const { call_id } = (await a.send(callerId, 'POST', '/api/calls', call)).data;
    await b.send(calleeId, 'POST', `/api/calls/${call_id}/accept`, { terminal_id: 'phone' });
    return call_id;
  };
  const signal = async (from: ServiceProcess, userId: number, callId: number, body: object) =>
    expect(await from.send(userId, 'POST', `/api/calls/${callId}/signals`, body)).toMatchObject({ code: 0 });

  it('are delivered in both directions', async () => {
    const [desk, phone] = [await listen(a, callerId), await listen(b, calleeId)];
    const callId = await answeredCall();
    await signal(a, callerId, callId, {
      terminal_id: 'desk',
      signal_id: '1',
      session_id: 's',
      description: OFFER,
    });
    await phone.until(() => signalsIn(phone).length === 1);
    await signal(b, calleeId, callId, {
      terminal_id: 'phone',
      signal_id: '1',
      session_id: 's',
      description: ANSWER,
    });
    await desk.until(() => signalsIn(desk).length === 1);
    expect(signalsIn(phone)).toMatchObject([{ terminal_id: 'phone', description: OFFER }]);
    expect(signalsIn(desk)).toMatchObject([{ terminal_id: 'desk', description: ANSWER }]);
    await a.send(callerId, 'POST', `/api/calls/${callId}/hangup`);
    await phone.until(() => phone.types.includes('call.ended'));
  });

  it('are kept when an instance is killed: the reader resumes on the other one', async () => {
    const phone = await listen(b, calleeId);
    const callId = await answeredCall();
    const offer = (signal_id: string) => ({
      terminal_id: 'desk',
      signal_id,
      session_id: 's',
      description: OFFER,
    });
    await signal(a, callerId, callId, offer('1'));
    await phone.until(() => signalsIn(phone).length === 1);
    await b.kill();
    await phone.ended;
    await signal(a, callerId, callId, offer('2'));
    const resumed = await listen(a, calleeId, phone.ids.at(-1));
    await resumed.until(() => signalsIn(resumed).length === 1);
    expect(signalsIn(resumed)).toMatchObject([{ signal_id: '2', description: OFFER }]);

    // Both leases are stored: a service that was restarted knows them.
    b = await start();
    const report = { terminal_id: 'desk', stage: 'joined' };
    expect(await b.send(callerId, 'POST', `/api/calls/${callId}/media-state`, report)).toMatchObject({
      data: { status: 'ongoing' },
    });
    await b.send(calleeId, 'POST', `/api/calls/${callId}/hangup`);
    const { data } = await eventually(
      () => a.send(callerId, 'GET', `/api/calls/${callId}`),
      (response) => response.data.status === 'ended',
    );
    expect(data).toMatchObject({ status: 'ended', end_reason: 'local_hangup' });
  });
});
