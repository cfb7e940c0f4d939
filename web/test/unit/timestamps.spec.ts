import { createFormat } from '../../src/app/create-format';
import { toInstant } from '../../src/shared/format';

describe('Timestamps in the web app', () => {
  // A Tuesday.
  const context = { serviceZone: 'Asia/Shanghai', browserZone: 'Europe/Berlin', today: '2026-11-24' };

  it.each([
    ['2026-11-24T13:02:00.000Z', '14:02', '14:02'],
    ['2026-11-23T22:59:00.000Z', 'Yesterday', 'Yesterday, 23:59'],
    ['2026-11-23T23:00:00.000Z', '00:00', '00:00'],
    ['2026-11-20T11:00:00.000Z', 'Fri', 'Fri, 12:00'],
    ['2026-11-18T11:00:00.000Z', 'Wed', 'Wed, 12:00'],
    ['2026-11-17T11:00:00.000Z', 'Nov 17', 'Nov 17, 12:00'],
    ['2025-12-31T11:00:00.000Z', 'Dec 31, 2025', 'Dec 31, 2025, 12:00'],
    ['2026-11-24 21:02:00', '14:02', '14:02'],
  ])('are shown for %s as %s in lists and as %s with the time, in English', (moment, short, long) => {
    const format = createFormat('en', context);
    expect([format.short(moment), format.moment(moment)]).toEqual([short, long]);
  });

  it.each([
    ['2026-11-24T13:02:00.000Z', '14:02', '14:02'],
    ['2026-11-23T13:02:00.000Z', '昨天', '昨天 14:02'],
    ['2026-11-20T11:00:00.000Z', '周五', '周五 12:00'],
    ['2026-11-17T11:00:00.000Z', '11月17日', '11月17日 12:00'],
    ['2025-12-31T11:00:00.000Z', '2025年12月31日', '2025年12月31日 12:00'],
  ])('are shown for %s as %s in lists and as %s with the time, in Chinese', (moment, short, long) => {
    const format = createFormat('zh-CN', context);
    expect([format.short(moment), format.moment(moment)]).toEqual([short, long]);
  });

  it('include the days of a chat, and the full date in tooltips', () => {
    const format = createFormat('en', context);
    expect(
      ['2026-11-24', '2026-11-23', '2026-11-20', '2026-03-03', '2025-03-03'].map((day) => format.day(day)),
    ).toEqual(['Today', 'Yesterday', 'Friday', 'March 3', 'March 3, 2025']);
    expect(format.full('2026-11-24T13:02:00.000Z')).toBe('Tuesday, November 24, 2026 at 14:02');
    expect(format.momentInText('2026-11-23T13:02:00.000Z')).toBe('yesterday, 14:02');
    expect(format.date('2026-11-23T23:00:00.000Z')).toBe('2026-11-24');
  });
});

describe('toInstant', () => {
  it.each([
    ['2026-01-31 16:00:00', 'Asia/Shanghai', '2026-01-31T08:00:00.000Z'],
    ['2026-03-29 01:30:00', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29 03:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-01-31T16:00:00.123Z', 'Asia/Shanghai', '2026-01-31T16:00:00.123Z'],
  ])('parses %s on clocks in %s as %s', (moment, zone, expected) => {
    expect(new Date(toInstant(moment, zone)).toISOString()).toBe(expected);
  });
});
