import { createTestDatabase, type TestDatabase } from '../support/database';
import { queryDatabase } from '../support/direct-query';
import { connectRaw, postHead } from '../support/raw-sockets';
import { eventually, ServiceProcess } from '../support/service-process';

interface CallRow {
  status: string;
  end_reason: string | null;
  seats: unknown;
}

/** Reads a call from the database, because a request could end it at its deadline. */
async function lookUp(databaseUrl: string, callId: number): Promise<CallRow> {
  const [row] = await queryDatabase<CallRow>(
    databaseUrl,
    `SELECT status, end_reason, (SELECT COUNT(*) FROM call_seats WHERE call_id = calls.id) AS seats
     FROM calls WHERE id = ${callId}`,
  );
  if (!row) throw new Error('no such call');
  return { ...row, seats: Number(row.seats) };
}

describe('The service process', () => {
  let database: TestDatabase;
  let service: ServiceProcess | undefined;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await service?.kill();
    await database.drop();
  });

  const start = async (env?: NodeJS.ProcessEnv): Promise<ServiceProcess> => {
    service = await ServiceProcess.start(database.url, env);
    return service;
  };

  const placeCall = async (to: ServiceProcess): Promise<number> => {
    await to.send(2, 'GET', '/api/calls/active');
    return (await to.send(1, 'POST', '/api/calls', { callee_id: 2 })).data.call_id;
  };

  /** Sets the deadline of a call to the time in a column. */
  const reachDeadline = (callId: number, column: 'created_at' | 'accepted_at') =>
    queryDatabase(database.url, `UPDATE calls SET deadline_at = ${column} WHERE id = ${callId}`);

  it('ends a call at its deadline after it was killed during ringing and restarted', async () => {
    const callId = await placeCall(await start());
    await service?.kill();
    expect(await lookUp(database.url, callId)).toEqual({ status: 'ringing', end_reason: null, seats: 2 });

    await reachDeadline(callId, 'created_at');
    const again = await start();
    const row = await eventually(
      () => lookUp(database.url, callId),
      ({ status }) => status === 'ended',
    );
    expect(row).toEqual({ status: 'ended', end_reason: 'no_answer', seats: 0 });
    const record = (await again.send(1, 'GET', `/api/calls/${callId}`)).data;
    expect(record.ended_at).toBe(record.created_at);
  });

  it('continues a call after it was killed and restarted, and ends it at its maximum duration', async () => {
    const first = await start();
    const callId = await placeCall(first);
    await first.send(2, 'POST', `/api/calls/${callId}/accept`, { terminal_id: 'phone' });
    await first.kill();

    const again = await start();
    const joined = await again.send(2, 'POST', `/api/calls/${callId}/media-state`, { stage: 'joined' });
    expect(joined.data).toMatchObject({ status: 'ongoing', version: 3 });
    await reachDeadline(callId, 'accepted_at');
    const row = await eventually(
      () => lookUp(database.url, callId),
      ({ status }) => status === 'ended',
    );
    expect(row).toEqual({ status: 'ended', end_reason: 'max_duration', seats: 0 });
    expect((await again.send(1, 'GET', `/api/calls/${callId}`)).data.duration).toBe(0);
  });

  it.each<[string, NodeJS.Signals[]]>([
    ['SIGTERM', ['SIGTERM']],
    ['SIGINT, which Ctrl-C under npm start sends twice', ['SIGINT', 'SIGINT', 'SIGTERM']],
  ])('stops on %s with exit code 0, after the response to the request in flight', async (_, signals) => {
    const running = await start();
    const { socket, closed } = await connectRaw(running.url);
    // The signals arrive between the two halves of a request.
    socket.write(`${postHead('/api/calls', 2)}{`);
    await eventually(async () => (await fetch(`${running.url}/health/live`)).ok, Boolean);
    const exited = running.exit();
    for (const signal of signals) {
      process.kill(running.pid, signal);
      const isReady = async () =>
        (await fetch(`${running.url}/health/ready`).catch(() => undefined))?.ok ?? false;
      await eventually(isReady, (ready) => !ready);
    }
    socket.write('}');
    expect(await closed).toContain('{"code":401,"message":"未授权","data":null}');
    expect(await exited).toBe(0);
  });

  it('logs its start and its stop', async () => {
    const running = await start({ LOG_LEVEL: 'info' });
    expect(await running.stop()).toBe(0);
    const log = running.lines.join('\n');
    expect(log).toMatch(
      /"msg":"Callboard \S+ is ready at http:\/\/127\.0\.0\.1:\d+: (SQLite in|MariaDB at) /,
    );
    expect(log).toContain('media by agora');
    expect(log).toContain('"msg":"SIGTERM: stopping"');
  });

  it('logs once why the database is unreachable, and exits', async () => {
    const start = ServiceProcess.start('mysql://root@127.0.0.1:1/callboard', { LOG_LEVEL: 'info' });
    const message = await start.then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(message).toContain('connect ECONNREFUSED 127.0.0.1:1');
    expect(message).not.toContain('etrying');
  });

  it('exits with one message that lists every configuration problem', async () => {
    const wrong = { PORT: 'eighty', CALL_RING_TIMEOUT_SECONDS: '0', MEDIA_PROVIDER: 'zoom' };
    await expect(ServiceProcess.start(database.url, wrong)).rejects.toThrow(
      [
        'The configuration has 3 problem(s):',
        '  - PORT must be a whole number from 0 to 65535, but is "eighty"',
        '  - MEDIA_PROVIDER must be one of webrtc, agora, livekit, but is "zoom"',
        '  - CALL_RING_TIMEOUT_SECONDS must be a whole number from 1 to 2147483, but is "0"',
      ].join('\n'),
    );
  });
});
