import type * as perfHooks from 'node:perf_hooks';
import type * as v8 from 'node:v8';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

/** Simulated lag of the event loop in nanoseconds. */
const mockDelay = { mean: 0, enable: () => true, disable: () => true, reset: () => undefined };

jest.mock('node:perf_hooks', () => ({
  ...jest.requireActual<typeof perfHooks>('node:perf_hooks'),
  monitorEventLoopDelay: () => mockDelay,
}));

/** Simulated heap size in bytes; undefined for the real one. */
const mockHeap: { used_heap_size?: number } = {};

jest.mock('node:v8', () => {
  const actual = jest.requireActual<typeof v8>('node:v8');
  return { ...actual, getHeapStatistics: () => ({ ...actual.getHeapStatistics(), ...mockHeap }) };
});

const REFUSED = [503, '1', '{"code":503,"message":"服务暂不可用","data":null}'];

describe('An instance under pressure', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp({ env: { MAX_EVENT_LOOP_DELAY_MS: '1000' } });
  });
  afterAll(() => test?.close());

  it.each<[string, () => () => void]>([
    [
      'its event loop lags',
      () => {
        mockDelay.mean = 1_500e6;
        return () => void (mockDelay.mean = 500e6);
      },
    ],
    [
      'its memory runs out',
      () => {
        mockHeap.used_heap_size = 1e15;
        return () => void delete mockHeap.used_heap_size;
      },
    ],
  ])('because of %s rejects requests except health checks, and recovers', async (_why, press) => {
    const user = await test.api.as({ id: 1 });
    const ask = () => user.get('/api/calls/active');
    expect((await ask()).status).toBe(200);
    const relieve = press();
    const refused = await eventually(ask, ({ status }) => status === 503);
    expect([refused.status, refused.headers['retry-after'], refused.text]).toEqual(REFUSED);
    await eventually(
      () => test.api.get('/health/ready'),
      ({ status }) => status === 200,
    );
    relieve();
    expect((await eventually(ask, ({ status }) => status === 200)).body.code).toBe(0);
  });
});
