import {
  CALL_ACTORS,
  CALL_EVENTS,
  CALL_STATUSES,
  type CallActor,
  type CallEvent,
  type CallStatus,
  decide,
  isFinished,
} from './call-state.rules';

/** An outcome as text: the new status, `keep`, or the error key. */
function inWords(outcome: ReturnType<typeof decide>): string {
  if (outcome === 'keep') return 'keep';
  return 'move' in outcome ? `→ ${outcome.move}` : outcome.refuse;
}

/** API 5.5, cell by cell: ringing, accepted, ongoing, rejected, cancelled, ended. */
const MATRIX: [CallEvent, CallActor, [string, string, string, string, string, string]][] = [
  [
    'accept',
    'callee',
    [
      '→ accepted',
      'ANSWERED_ELSEWHERE',
      'ANSWERED_ELSEWHERE',
      'CALL_FINISHED',
      'CALL_FINISHED',
      'CALL_FINISHED',
    ],
  ],
  [
    'reject',
    'callee',
    ['→ rejected', 'CALL_ANSWERED', 'CALL_ANSWERED', 'keep', 'CALL_FINISHED', 'CALL_FINISHED'],
  ],
  [
    'cancel',
    'caller',
    ['→ cancelled', 'CALL_ANSWERED', 'CALL_ANSWERED', 'CALL_FINISHED', 'keep', 'CALL_FINISHED'],
  ],
  ['hangup', 'caller', ['CALL_NOT_ANSWERED', '→ ended', '→ ended', 'CALL_FINISHED', 'CALL_FINISHED', 'keep']],
  ['hangup', 'callee', ['CALL_NOT_ANSWERED', '→ ended', '→ ended', 'CALL_FINISHED', 'CALL_FINISHED', 'keep']],
  ['join', 'caller', ['→ ringing', '→ ongoing', '→ ongoing', 'keep', 'keep', 'keep']],
  ['join', 'callee', ['→ ringing', '→ ongoing', '→ ongoing', 'keep', 'keep', 'keep']],
  ['report', 'caller', ['→ ringing', '→ accepted', '→ ongoing', 'keep', 'keep', 'keep']],
  ['report', 'callee', ['→ ringing', '→ accepted', '→ ongoing', 'keep', 'keep', 'keep']],
  ['renew', 'caller', ['keep', 'keep', 'keep', 'CALL_FINISHED', 'CALL_FINISHED', 'CALL_FINISHED']],
  [
    'renew',
    'callee',
    ['CALL_NOT_ANSWERED', 'keep', 'keep', 'CALL_FINISHED', 'CALL_FINISHED', 'CALL_FINISHED'],
  ],
  // Sent by a terminal that is not in the call. A separate test covers the terminal in the call.
  [
    'signal',
    'caller',
    [
      'ANSWERED_ELSEWHERE',
      'ANSWERED_ELSEWHERE',
      'ANSWERED_ELSEWHERE',
      'CALL_FINISHED',
      'CALL_FINISHED',
      'CALL_FINISHED',
    ],
  ],
  [
    'signal',
    'callee',
    [
      'ANSWERED_ELSEWHERE',
      'ANSWERED_ELSEWHERE',
      'ANSWERED_ELSEWHERE',
      'CALL_FINISHED',
      'CALL_FINISHED',
      'CALL_FINISHED',
    ],
  ],
  ['leave', 'caller', ['→ cancelled', '→ ended', '→ ended', 'keep', 'keep', 'keep']],
  ['leave', 'callee', ['keep', '→ ended', '→ ended', 'keep', 'keep', 'keep']],
  ['lose', 'caller', ['keep', '→ accepted', '→ ongoing', 'keep', 'keep', 'keep']],
  ['lose', 'callee', ['keep', '→ accepted', '→ ongoing', 'keep', 'keep', 'keep']],
  ['end', 'service', ['→ ended', '→ ended', '→ ended', 'keep', 'keep', 'keep']],
];

/** The error for actors that may not send an event, in any status. */
const REFUSALS: Record<CallEvent, { allowed: CallActor[]; refusal: string }> = {
  accept: { allowed: ['callee'], refusal: 'NOT_CALLEE' },
  reject: { allowed: ['callee'], refusal: 'NOT_CALLEE' },
  cancel: { allowed: ['caller'], refusal: 'NOT_CALLER' },
  hangup: { allowed: ['caller', 'callee'], refusal: 'NOT_PARTICIPANT' },
  join: { allowed: ['caller', 'callee'], refusal: 'NOT_PARTICIPANT' },
  report: { allowed: ['caller', 'callee'], refusal: 'NOT_PARTICIPANT' },
  renew: { allowed: ['caller', 'callee'], refusal: 'NOT_PARTICIPANT' },
  signal: { allowed: ['caller', 'callee'], refusal: 'NOT_PARTICIPANT' },
  leave: { allowed: ['caller', 'callee'], refusal: 'NOT_PARTICIPANT' },
  lose: { allowed: ['caller', 'callee'], refusal: 'NOT_PARTICIPANT' },
  end: { allowed: ['service'], refusal: 'NOT_PARTICIPANT' },
};

describe('Call state machine', () => {
  describe.each(MATRIX)('%s by the %s', (event, actor, row) => {
    it.each(CALL_STATUSES.map((status, column) => [status, row[column]]))(
      'when %s: %s',
      (status, expected) => {
        expect(inWords(decide(status, event, actor))).toBe(expected);
      },
    );
  });

  it('allows the accepting terminal to repeat accept', () => {
    expect(decide('accepted', 'accept', 'callee', true)).toBe('keep');
    expect(decide('ongoing', 'accept', 'callee', true)).toBe('keep');
    expect(inWords(decide('ended', 'accept', 'callee', true))).toBe('CALL_FINISHED');
  });

  it.each(['caller', 'callee'] as const)(
    'relays signals from the terminal of the %s between accept and end',
    (actor) => {
      const outcomes = CALL_STATUSES.map((status) => inWords(decide(status, 'signal', actor, true)));
      expect(outcomes).toEqual([
        'CALL_NOT_ANSWERED',
        'keep',
        'keep',
        'CALL_FINISHED',
        'CALL_FINISHED',
        'CALL_FINISHED',
      ]);
    },
  );

  const strangers = CALL_EVENTS.flatMap((event) =>
    CALL_ACTORS.filter((actor) => !REFUSALS[event].allowed.includes(actor)).map(
      (actor) => [event, actor] as const,
    ),
  );
  it.each(strangers)('rejects %s by the %s in every status', (event, actor) => {
    const answers = CALL_STATUSES.map((status) => inWords(decide(status, event, actor, true)));
    expect(new Set(answers)).toEqual(new Set([REFUSALS[event].refusal]));
  });

  it('covers every event in the matrix', () => {
    expect(new Set(MATRIX.map(([event]) => event))).toEqual(new Set(CALL_EVENTS));
  });

  describe('as a graph', () => {
    const edges = CALL_STATUSES.flatMap((from) =>
      CALL_EVENTS.flatMap((event) =>
        CALL_ACTORS.flatMap((actor) => {
          const outcome = decide(from, event, actor, true);
          return typeof outcome === 'object' && 'move' in outcome ? [{ from, to: outcome.move }] : [];
        }),
      ),
    );

    it('reaches every status from ringing', () => {
      const reached = new Set<CallStatus>(['ringing']);
      for (const status of reached) for (const { from, to } of edges) if (from === status) reached.add(to);
      expect(reached).toEqual(new Set(CALL_STATUSES));
    });

    it('has an exit from every status that is not finished', () => {
      for (const status of CALL_STATUSES) {
        const exits = edges.filter(({ from, to }) => from === status && to !== status);
        expect([status, exits.length > 0]).toEqual([status, !isFinished(status)]);
      }
    });

    it('never returns to an earlier status', () => {
      const order = ['ringing', 'accepted', 'ongoing', 'ended'];
      const along = edges.filter(({ from, to }) => order.includes(from) && order.includes(to));
      expect(along.filter(({ from, to }) => order.indexOf(to) < order.indexOf(from))).toEqual([]);
    });
  });
});
