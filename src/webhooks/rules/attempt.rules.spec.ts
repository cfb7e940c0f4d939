import { afterAttempt } from './attempt.rules';

const NOW = new Date('2026-01-31T08:00:00.000Z');
const failure = { ok: false, statusCode: 503, error: null, ms: 12, response: 'busy', retryAfterMs: 0 };
const shown = { status_code: 503, error: null, ms: 12, response: 'busy' };

describe('afterAttempt', () => {
  it('marks a delivery as succeeded', () => {
    const success = { ...failure, ok: true, statusCode: 204, response: null };
    expect(afterAttempt(success, { attempts: 3, now: NOW, chance: 0.5 })).toEqual({
      status: 'succeeded',
      attempts: 3,
      status_code: 204,
      error: null,
      ms: 12,
      response: null,
      due_at: null,
      finished_at: NOW,
    });
  });

  it('schedules a retry after a failure', () => {
    expect(afterAttempt(failure, { attempts: 1, now: NOW, chance: 0.5 })).toEqual({
      ...shown,
      status: 'pending',
      attempts: 1,
      due_at: new Date('2026-01-31T08:00:05.000Z'),
      finished_at: null,
    });
    const asked = { ...failure, retryAfterMs: 60_000 };
    expect(afterAttempt(asked, { attempts: 1, now: NOW, chance: 0.5 }).due_at).toEqual(
      new Date('2026-01-31T08:01:00.000Z'),
    );
  });

  it('marks a delivery as failed after the tenth attempt', () => {
    expect(afterAttempt(failure, { attempts: 10, now: NOW, chance: 0.5 })).toEqual({
      ...shown,
      status: 'failed',
      attempts: 10,
      due_at: null,
      finished_at: NOW,
    });
  });
});
