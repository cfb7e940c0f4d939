import { CalendarDays, daysFrom, daysWithin, plusDays } from './calendar-days.rules';

const at = (moment: string): number => Date.parse(moment);

describe('CalendarDays.of', () => {
  it.each([
    ['Asia/Shanghai', '2026-01-30T15:59:59.999Z', '2026-01-30'],
    ['Asia/Shanghai', '2026-01-30T16:00:00.000Z', '2026-01-31'],
    ['UTC', '2026-12-31T23:59:59.999Z', '2026-12-31'],
    // Summer time begins and ends.
    ['Europe/Berlin', '2026-03-28T22:59:59.999Z', '2026-03-28'],
    ['Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00.000Z', '2026-03-30'],
    ['America/New_York', '2026-11-01T03:59:59.999Z', '2026-10-31'],
    ['America/New_York', '2026-11-02T04:59:59.999Z', '2026-11-01'],
    ['America/New_York', '2026-11-02T05:00:00.000Z', '2026-11-02'],
    // Half an hour of summer time, and quarters of an hour.
    ['Australia/Lord_Howe', '2026-01-31T12:59:59.999Z', '2026-01-31'],
    ['Australia/Lord_Howe', '2026-01-31T13:00:00.000Z', '2026-02-01'],
    ['Australia/Lord_Howe', '2026-06-30T13:30:00.000Z', '2026-07-01'],
    ['Asia/Kathmandu', '2026-01-31T18:14:59.999Z', '2026-01-31'],
    ['Asia/Kathmandu', '2026-01-31T18:15:00.000Z', '2026-02-01'],
    ['Pacific/Chatham', '2026-01-31T10:14:59.999Z', '2026-01-31'],
    ['Pacific/Chatham', '2026-01-31T10:15:00.000Z', '2026-02-01'],
    // The clocks skip midnight, and go back to before it.
    ['Africa/Cairo', '2026-04-23T21:59:59.999Z', '2026-04-23'],
    ['Africa/Cairo', '2026-04-23T22:00:00.000Z', '2026-04-24'],
    ['Asia/Beirut', '2026-10-24T20:59:59.999Z', '2026-10-24'],
    ['Asia/Beirut', '2026-10-24T21:00:00.000Z', '2026-10-24'],
    ['Asia/Beirut', '2026-10-24T22:00:00.000Z', '2026-10-25'],
    // One minute of the next day, then an hour of the old day again.
    ['America/St_Johns', '2010-11-07T02:30:30.000Z', '2010-11-07'],
    ['America/St_Johns', '2010-11-07T02:31:00.000Z', '2010-11-06'],
    ['America/St_Johns', '2010-11-07T03:30:00.000Z', '2010-11-07'],
    // A skipped day.
    ['Pacific/Apia', '2011-12-30T09:59:59.999Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00.000Z', '2011-12-31'],
  ])('returns in %s at %s: %s', (zone, moment, day) => {
    const days = new CalendarDays(zone);
    // Fills the cache with the neighbours, which must not be returned for it.
    days.of(at(moment) - 1);
    days.of(at(moment) + 1);
    expect(days.of(at(moment))).toBe(day);
  });

  it('returns the same day after it was dropped from the cache', () => {
    const days = new CalendarDays('Asia/Kathmandu');
    const first = at('2026-01-31T18:15:00.000Z');
    for (let minute = 0; minute < 5_000; minute += 1) days.of(first + minute * 60_000);
    expect([days.of(first - 1), days.of(first)]).toEqual(['2026-01-31', '2026-02-01']);
  });
});

describe('CalendarDays.startOf', () => {
  it.each([
    ['Asia/Shanghai', '2026-01-31', '2026-01-30T16:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ])('returns in %s for %s: %s', (zone, day, moment) => {
    expect(new Date(new CalendarDays(zone).startOf(day)).toISOString()).toBe(moment);
  });
});

describe('A range of days', () => {
  it('includes both ends', () => {
    expect(daysFrom('2026-02-27', '2026-03-02')).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
    expect(daysFrom('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
    expect(daysFrom('2026-01-31', '2026-01-31')).toEqual(['2026-01-31']);
  });

  it('is counted with both ends', () => {
    expect(daysWithin('2026-01-01', '2026-12-31')).toBe(365);
    expect(daysWithin('2028-01-01', '2028-12-31')).toBe(366);
    expect(daysWithin('2026-01-31', '2026-01-30')).toBe(0);
  });

  it('is computed by adding days', () => {
    expect(plusDays('2026-01-31', -29)).toBe('2026-01-02');
    expect(plusDays('2026-12-31', 1)).toBe('2027-01-01');
  });
});
