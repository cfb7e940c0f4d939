import { availableParallelism } from 'node:os';
import { loadConfig } from './config';

jest.mock('node:os', () => ({ ...jest.requireActual<object>('node:os'), availableParallelism: jest.fn() }));

describe('WEB_CONCURRENCY', () => {
  const DATABASE_URL = 'mariadb://user:password@host/database';
  const workersOf = (text: string): number => loadConfig({ DATABASE_URL, WEB_CONCURRENCY: text }).workers;

  it('is the number of workers, 1 to 15', () => {
    expect([workersOf(''), workersOf('1'), workersOf('15')]).toEqual([1, 1, 15]);
    for (const text of ['0', '16', 'all'])
      expect(() => workersOf(text)).toThrow(
        `WEB_CONCURRENCY must be a whole number from 1 to 15, but is "${text}"`,
      );
  });

  it('is the number of cores with auto, 15 at most', () => {
    jest.mocked(availableParallelism).mockReturnValueOnce(6).mockReturnValueOnce(64);
    expect([workersOf('auto'), workersOf('auto')]).toEqual([6, 15]);
  });

  it.each(['2', 'auto'])('is rejected as %s with SQLite', (text) => {
    jest.mocked(availableParallelism).mockReturnValue(1);
    expect(() => loadConfig({ WEB_CONCURRENCY: text })).toThrow(
      'WEB_CONCURRENCY must be 1 with SQLite; several processes require MySQL or MariaDB',
    );
    expect(loadConfig({ WEB_CONCURRENCY: '1' }).workers).toBe(1);
  });
});
