import { webhooksHealth } from './webhooks-health.rules';

describe('webhooksHealth', () => {
  const at = (time: string): Date => new Date(`2026-01-31T${time}.000Z`);
  const endpoint = (given: object) => ({
    id: 3,
    status: 1,
    disabled_reason: null,
    failed_attempts: 0,
    last_success_at: null,
    last_failure_at: null,
    ...given,
  });

  it.each([
    ['off without endpoints', [], 'off', null, null],
    [
      'off when a user has disabled all endpoints',
      [endpoint({ status: 0, failed_attempts: 9 })],
      'off',
      null,
      null,
    ],
    ['up before the first attempt', [endpoint({})], 'up', null, null],
    [
      'up after a success that followed a failure',
      [endpoint({ last_success_at: at('08:00:00'), last_failure_at: at('07:00:00') })],
      'up',
      'Endpoint 3: an attempt failed, and others have succeeded since',
      at('07:00:00'),
    ],
    [
      'up while few attempts have failed',
      [endpoint({ failed_attempts: 4, last_failure_at: at('07:00:00') })],
      'up',
      'Endpoint 3: 4 attempts in a row have failed',
      at('07:00:00'),
    ],
    [
      'down when five attempts in a row have failed at one endpoint',
      [
        endpoint({ id: 2, last_success_at: at('08:00:00'), last_failure_at: at('07:59:00') }),
        endpoint({ failed_attempts: 5, last_failure_at: at('07:00:00') }),
      ],
      'down',
      'Endpoint 3: 5 attempts in a row have failed',
      at('07:00:00'),
    ],
    [
      'down when the service has disabled an endpoint',
      [endpoint({ status: 0, disabled_reason: 'gone', failed_attempts: 1, last_failure_at: at('07:00:00') })],
      'down',
      'Endpoint 3 was switched off: gone',
      at('07:00:00'),
    ],
  ] as const)('is %s', (_, endpoints, status, lastError, lastErrorAt) => {
    expect(webhooksHealth(endpoints as Parameters<typeof webhooksHealth>[0])).toMatchObject({
      status,
      lastError,
      lastErrorAt,
    });
  });

  it('returns the time of the last success', () => {
    const endpoints = [at('06:00:00'), at('08:00:00'), null].map((last_success_at) =>
      endpoint({ last_success_at }),
    );
    expect(webhooksHealth(endpoints).lastSuccessAt).toEqual(at('08:00:00'));
  });
});
