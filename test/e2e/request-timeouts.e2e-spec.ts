import { loadConfig } from '../../src/config/config';
import { createApp } from '../../src/create-app';
import { CallHistoryService } from '../../src/calls/services/call-history.service';
import { ApiClient } from '../support/api-client';
import { createMigratedDatabase } from '../support/migrated-database';
import { testEnvironment } from '../support/environment';

const WARN = 40;

describe('A request beyond REQUEST_TIMEOUT_SECONDS', () => {
  it('returns 503 with one warning in the log, also when its work fails later', async () => {
    const lines: string[] = [];
    const database = await createMigratedDatabase();
    const env = { LOG_LEVEL: 'warn', REQUEST_TIMEOUT_SECONDS: '2' };
    const config = loadConfig(testEnvironment(database.url, env));
    const app = await createApp(config, { logTo: { write: (line) => lines.push(line) } });
    const work = Promise.withResolvers<null>();
    const history = app.get(CallHistoryService);
    jest.spyOn(history, 'findActive').mockReturnValue(work.promise);

    const user = await new ApiClient(app).as({ id: 1 });
    const response = await user.get('/api/calls/active');
    expect(response.body).toEqual({ code: 503, message: '服务暂不可用', data: null });
    work.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', errno: -111 }));
    // Behind the rejection in the queue, so it is handled by then.
    await user.get('/health/live');

    const logged = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ reqId }) => reqId === response.headers['x-request-id']);
    expect(logged).toEqual([
      expect.objectContaining({ level: WARN, msg: 'request', route: '/api/calls/active', status: 503 }),
    ]);
    expect(logged[0]).not.toHaveProperty('err');
    jest.restoreAllMocks();
    await app.close();
    await database.drop();
  }, 60_000);
});
