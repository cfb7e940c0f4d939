import { LocalTime } from './local-time.rules';

const at = (iso: string): Date => new Date(iso);

describe('LocalTime', () => {
  const shanghai = new LocalTime('Asia/Shanghai');

  it('formats times in its zone', () => {
    expect(shanghai.dateTime(at('2026-01-31T08:00:59.999Z'))).toBe('2026-01-31 16:00:59');
    expect(shanghai.hourMinute(at('2026-01-31T16:00:00.000Z'))).toBe('00:00');
    expect(shanghai.dateTime(at('2025-12-31T16:00:00.000Z'))).toBe('2026-01-01 00:00:00');
    expect(new LocalTime('UTC').dateTime(at('2026-01-31T08:00:00.000Z'))).toBe('2026-01-31 08:00:00');
    expect(new LocalTime('Asia/Kathmandu').hourMinute(at('2026-01-31T08:00:00.000Z'))).toBe('13:45');
  });

  it('follows the daylight-saving changes of its zone', () => {
    const newYork = new LocalTime('America/New_York');
    expect(newYork.dateTime(at('2026-03-08T06:59:59.000Z'))).toBe('2026-03-08 01:59:59');
    expect(newYork.dateTime(at('2026-03-08T07:00:00.000Z'))).toBe('2026-03-08 03:00:00');
    expect(newYork.dateTime(at('2026-11-01T05:59:59.000Z'))).toBe('2026-11-01 01:59:59');
    expect(newYork.dateTime(at('2026-11-01T06:00:00.000Z'))).toBe('2026-11-01 01:00:00');
  });

  it.each([
    // Saturday, 31 January 2026, noon in Shanghai
    ['the same minute', '2026-01-31T04:00:00.000Z', '12:00'],
    ['the first moment of the day', '2026-01-30T16:00:00.000Z', '00:00'],
    ['the last moment of yesterday', '2026-01-30T15:59:59.999Z', '昨天'],
    ['the first moment of yesterday', '2026-01-29T16:00:00.000Z', '昨天'],
    ['two days ago', '2026-01-29T15:59:59.999Z', '星期四'],
    ['three days ago', '2026-01-28T04:00:00.000Z', '星期三'],
    ['four days ago', '2026-01-27T04:00:00.000Z', '星期二'],
    ['five days ago', '2026-01-26T04:00:00.000Z', '星期一'],
    ['six days ago', '2026-01-24T16:00:00.000Z', '星期日'],
    ['seven days ago', '2026-01-24T15:59:59.999Z', '01-24'],
    ['the first moment of the year', '2025-12-31T16:00:00.000Z', '01-01'],
    ['the last moment of last year', '2025-12-31T15:59:59.999Z', '2025-12-31'],
    ['tomorrow, by another clock', '2026-01-31T16:00:00.000Z', '02-01'],
  ])('formats a time relative to now: %s', (_, moment, expected) => {
    expect(shanghai.relative(at(moment), at('2026-01-31T04:00:00.000Z'))).toBe(expected);
  });

  it('shows the day of the week instead of the year', () => {
    const now = at('2026-01-02T04:00:00.000Z');
    expect(shanghai.relative(at('2025-12-27T04:00:00.000Z'), now)).toBe('星期六');
    expect(shanghai.relative(at('2025-12-26T04:00:00.000Z'), now)).toBe('2025-12-26');
  });

  it('counts calendar days when days have 23 or 25 hours', () => {
    const berlin = new LocalTime('Europe/Berlin');
    expect(berlin.relative(at('2026-03-28T22:30:00.000Z'), at('2026-03-29T22:30:00.000Z'))).toBe('星期六');
    expect(berlin.relative(at('2026-03-28T23:30:00.000Z'), at('2026-03-29T22:30:00.000Z'))).toBe('昨天');
    expect(berlin.relative(at('2026-10-24T22:30:00.000Z'), at('2026-10-25T22:30:00.000Z'))).toBe('00:30');
  });
});
