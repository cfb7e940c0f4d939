import { statisticsOf, sumsOf } from './call-statistics.rules';

const NO_LENGTHS = { to_10s: 0, to_1m: 0, to_5m: 0, to_30m: 0, more: 0 };

describe('Call statistics', () => {
  it('add audio and video, by day and in total', () => {
    const { byDay, total } = sumsOf([
      { metric: 'calls.audio.answered', day: '2026-01-30', value: 2 },
      { metric: 'calls.audio.ring_seconds', day: '2026-01-30', value: 11 },
      { metric: 'calls.audio.talk_seconds', day: '2026-01-30', value: 130 },
      { metric: 'calls.audio.to_5m', day: '2026-01-30', value: 2 },
      { metric: 'calls.video.cancelled', day: '2026-01-30', value: 1 },
      { metric: 'calls.video.rejected', day: '2026-01-31', value: 3 },
    ]);
    expect(statisticsOf(byDay.get('2026-01-30'))).toEqual({
      created: 3,
      answered: 2,
      rejected: 0,
      cancelled: 1,
      no_answer: 0,
      busy: 0,
      missed: 1,
      answer_rate: 0.6667,
      ring_seconds: 11,
      talk_seconds: 130,
      lengths: { ...NO_LENGTHS, to_5m: 2 },
    });
    expect(statisticsOf(byDay.get('2026-01-31'))).toMatchObject({ created: 3, answer_rate: 0, missed: 0 });
    expect(statisticsOf(total)).toMatchObject({ created: 6, answered: 2, answer_rate: 0.3333 });
  });

  it('are zero, without an answer rate, for a day without calls', () => {
    expect(statisticsOf()).toEqual({
      created: 0,
      answered: 0,
      rejected: 0,
      cancelled: 0,
      no_answer: 0,
      busy: 0,
      missed: 0,
      answer_rate: null,
      ring_seconds: 0,
      talk_seconds: 0,
      lengths: NO_LENGTHS,
    });
  });

  it('count calls that were neither answered nor declined as missed', () => {
    const names = ['answered', 'rejected', 'cancelled', 'no_answer', 'busy'];
    const figures = names.map((name, index) => ({
      metric: `calls.audio.${name}`,
      day: '2026-01-31',
      value: 10 ** index,
    }));
    expect(statisticsOf(sumsOf(figures).total)).toMatchObject({ created: 11_111, missed: 11_100 });
  });
});
