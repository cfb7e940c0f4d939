import type { Clock } from '../clock';
import { Health, OFF, reportAfter } from './health';
import { RunRecord } from './run-record';

const NOW = new Date('2026-01-31T08:00:00.000Z');

describe('Health', () => {
  const clock = { now: () => NOW } as Clock;

  it('returns the report of each component by name', async () => {
    const health = new Health(clock);
    health.register('a', async () => OFF);
    health.register('b', async () => ({ ...OFF, status: 'up', lastSuccessAt: NOW }));
    expect(Object.fromEntries(await health.reports())).toEqual({
      a: { status: 'off', lastSuccessAt: null, lastErrorAt: null, lastError: null },
      b: { status: 'up', lastSuccessAt: NOW, lastErrorAt: null, lastError: null },
    });
  });

  it('rejects a second component with the same name', () => {
    const health = new Health(clock);
    health.register('a', async () => OFF);
    expect(() => health.register('a', async () => OFF)).toThrow('Health component is registered twice: a');
  });

  it('reports a component as down when it throws or does not respond within 2 s', async () => {
    jest.useFakeTimers();
    const health = new Health(clock);
    health.register('broken', () => Promise.reject(new Error('no\n  such table')));
    health.register('silent', () => new Promise(() => undefined));
    const asked = health.reports();
    await jest.advanceTimersByTimeAsync(2_000);
    jest.useRealTimers();
    const down = { status: 'down', lastSuccessAt: null, lastErrorAt: NOW };
    expect(Object.fromEntries(await asked)).toEqual({
      broken: { ...down, lastError: 'Error: no such table' },
      silent: { ...down, lastError: 'Error: timed out after 2000 ms' },
    });
  });

  it('keeps the last success and the last error of a recorded run', async () => {
    const later = new Date('2026-01-31T08:00:01.000Z');
    const times = [NOW, later, later];
    const record = new RunRecord(() => times.shift() ?? later);
    const first = await reportAfter(record.of(Promise.resolve()), record);
    expect(first).toEqual({ status: 'up', lastSuccessAt: NOW, lastErrorAt: null, lastError: null });
    const second = await reportAfter(record.of(Promise.reject(new Error('x'.repeat(400)))), record);
    expect(second).toEqual({
      status: 'down',
      lastSuccessAt: NOW,
      lastErrorAt: later,
      lastError: `Error: ${'x'.repeat(293)}`,
    });
    expect(await reportAfter(record.of(Promise.resolve()), record)).toMatchObject({
      status: 'up',
      lastSuccessAt: later,
      lastErrorAt: later,
    });
  });
});
