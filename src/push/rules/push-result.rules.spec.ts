import type { PushJobEntity } from '../entities/push-job.entity';
import { KEEP } from './compose-push.rules';
import type { PushMessage, PushOutcome } from './push-message.rules';
import { resultOf } from './push-result.rules';

const NOW = new Date('2026-01-31T08:00:10.000Z');
const SENT: Partial<PushJobEntity> = {
  id: 1,
  type: 'message',
  rev: 1,
  sent_rev: 0,
  shown: false,
  told_id: 0,
  pushes: 0,
  attempts: 0,
  due_at: new Date('2026-01-31T08:00:00.000Z'),
  next_at: null,
  sent_at: null,
  caused_at: new Date('2026-01-31T08:00:00.000Z'),
  expires_at: new Date('2026-02-03T08:00:00.000Z'),
  claim: null,
};

const after = (
  result: PushOutcome['result'],
  {
    row = {},
    type = 'message',
    isRegisteredAgain = false,
  }: { row?: Partial<PushJobEntity>; type?: PushMessage['type']; isRegisteredAgain?: boolean } = {},
) =>
  resultOf(
    {
      sent: SENT as PushJobEntity,
      row: { ...SENT, ...row } as PushJobEntity,
      composed: { push: { type } as PushMessage, toldId: 11 },
    },
    { result, reason: 'refused' },
    { now: NOW, chance: 0.5, isRegisteredAgain },
  );

describe('resultOf a refused push', () => {
  const REFUSALS = ['dropped', 'rejected', 'removed'] as const;

  it.each(REFUSALS)('ends the row when nothing newer waits: %s', (result) =>
    expect(after(result)).toBeUndefined(),
  );

  it('keeps the row of an earlier message that the target shows', () => {
    const shown = { shown: true, told_id: 10 };
    expect(after('dropped', { row: shown })).toMatchObject({ ...shown, due_at: null });
    expect(after('dropped', { row: shown, type: 'read' })).toBeUndefined();
  });

  it.each(REFUSALS)('makes a newer wish due immediately: %s', (result) =>
    expect(after(result, { row: { rev: 2 } })).toMatchObject({
      due_at: NOW,
      caused_at: NOW,
      attempts: 0,
      sent_rev: 0,
      shown: false,
    }),
  );

  it.each(REFUSALS)('makes the wish due immediately when the target was registered again: %s', (result) =>
    expect(after(result, { isRegisteredAgain: true })).toMatchObject({
      due_at: NOW,
      caused_at: new Date('2026-01-31T08:00:00.000Z'),
      sent_rev: 0,
    }),
  );

  it('keeps the distance to the previous push', () => {
    const next_at = new Date('2026-01-31T08:00:15.000Z');
    expect(after('dropped', { row: { rev: 2, next_at } })).toMatchObject({ due_at: next_at });
  });

  it.each([
    [1, 0],
    [3, 2],
  ])('counts of %i attempts of a ring the %i that may have arrived', (attempts, mayHaveArrived) =>
    expect(after('dropped', { row: { type: 'call', rev: 2, attempts } })).toMatchObject({
      attempts: mayHaveArrived,
    }),
  );
});

describe('resultOf a ring that was not repeated', () => {
  it('counts as shown, because an earlier attempt may have arrived', () => {
    const row = { ...SENT, type: 'call', attempts: 2 } as PushJobEntity;
    const handled = { sent: row, row, composed: KEEP };
    expect(resultOf(handled, null, { now: NOW, chance: 0.5, isRegisteredAgain: false })).toMatchObject({
      shown: true,
      due_at: null,
    });
  });
});
