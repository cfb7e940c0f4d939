import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { Clock } from '../../src/common/clock';
import { loadConfig } from '../../src/config/config';
import { createApp } from '../../src/create-app';
import { DatabaseTime } from '../../src/database/database-time';
import { ApiClient } from '../support/api-client';
import { createUsers } from '../support/calls';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { testEnvironment } from '../support/environment';

/** A clock that differs from the real time. */
class SkewedClock extends Clock {
  constructor(public aheadMs: number) {
    super();
  }

  override machineTime(): number {
    return Date.now() + this.aheadMs;
  }
}

describe('Instances with different clocks', () => {
  let database: TestDatabase;
  let right: NestFastifyApplication;
  let ahead: NestFastifyApplication;
  const clock = new SkewedClock(3_600_000);
  beforeAll(async () => {
    database = await createTestDatabase();
    const config = loadConfig(testEnvironment(database.url, { CALL_RING_TIMEOUT_SECONDS: '1800' }));
    right = await createApp(config);
    ahead = await createApp(config, { clock });
  });
  afterAll(async () => {
    await ahead?.close();
    await right?.close();
    await database?.drop();
  });

  it('end no calls early: with one clock an hour ahead, a call still rings for its half hour', async () => {
    const api = new ApiClient(right);
    const [caller = api] = await createUsers(api, 1, 2);
    const { call_id } = (await caller.post('/api/calls', { callee_id: 2 })).body.data;
    await ahead.get(CallDeadlines).sweep();
    expect((await caller.get(`/api/calls/${call_id}`)).body.data.status).toBe('ringing');
  });

  it('are reported by the metric, which follows a corrected clock', async () => {
    const secondsAhead = async (): Promise<number> => {
      const { body } = await ahead.inject('/metrics');
      return Number(/^callboard_clock_ahead_seconds (\S+)$/m.exec(body)?.[1]);
    };
    expect(await secondsAhead()).toBeCloseTo(3_600, -2);
    clock.aheadMs = -3_600_000;
    await ahead.get(DatabaseTime).adjust();
    expect(await secondsAhead()).toBeCloseTo(-3_600, -2);
  });

  it('are not reported when their clocks agree', async () => {
    await right.get(DatabaseTime).adjust();
    expect(right.get(Clock).correctionMs).toBe(0);
  });
});
