import { isQuiet, isTimeOfDay, isTimeZone, type QuietHours } from './quiet-hours.rules';

const MINUTE_MS = 60_000;
const WEEK_MINUTES = 7 * 24 * 60;

/** Returns the quiet periods of the week from `start`, found minute by minute, as `from/to` in UTC. */
function quietPeriods(start: string, hours: Omit<QuietHours, 'enabled'>): string[] {
  const first = Date.parse(start);
  const at = (minute: number) => new Date(first + minute * MINUTE_MS);
  const periods: string[] = [];
  let since: Date | undefined;
  for (let minute = 0; minute <= WEEK_MINUTES; minute += 1) {
    const isInside = minute < WEEK_MINUTES && isQuiet({ ...hours, enabled: true }, at(minute));
    if (isInside) since ??= at(minute);
    else if (since !== undefined) {
      periods.push(`${since.toISOString().slice(5, 16)}/${at(minute).toISOString().slice(5, 16)}`);
      since = undefined;
    }
  }
  return periods;
}

describe('Quiet hours in a week in which the clock changes', () => {
  it.each([
    {
      name: 'skips an hour of a night',
      start: '2026-03-26T12:00:00Z',
      hours: { from: '22:00', to: '07:00', days: [1, 2, 3, 4, 5, 6], time_zone: 'Europe/Berlin' },
      periods: [
        '03-26T21:00/03-27T06:00',
        '03-27T21:00/03-28T06:00',
        '03-28T21:00/03-29T05:00',
        '03-30T20:00/03-31T05:00',
        '03-31T20:00/04-01T05:00',
        '04-01T20:00/04-02T05:00',
      ],
    },
    {
      name: 'repeats an hour in which the quiet hours begin',
      start: '2026-10-30T00:00:00Z',
      hours: { from: '01:30', to: '02:30', days: [7], time_zone: 'America/New_York' },
      periods: ['11-01T05:30/11-01T06:00', '11-01T06:30/11-01T07:30'],
    },
    {
      name: 'repeats half an hour of a quiet day',
      start: '2026-04-01T00:00:00Z',
      hours: { from: '00:00', to: '00:00', days: [7], time_zone: 'Australia/Lord_Howe' },
      periods: ['04-04T13:00/04-05T13:30'],
    },
    {
      name: 'never changes in this zone',
      start: '2026-03-26T00:00:00Z',
      hours: { from: '12:00', to: '13:30', days: [1, 3], time_zone: 'Asia/Shanghai' },
      periods: ['03-30T04:00/03-30T05:30', '04-01T04:00/04-01T05:30'],
    },
    {
      name: 'skips the time at which the quiet hours begin',
      start: '2026-03-05T00:00:00Z',
      hours: { from: '02:15', to: '03:15', days: [7], time_zone: 'America/St_Johns' },
      periods: ['03-08T05:30/03-08T05:45'],
    },
  ])('follow the wall clock when it $name ($hours.time_zone)', ({ start, hours, periods }) => {
    expect(quietPeriods(start, hours)).toEqual(periods);
  });
});

describe('isQuiet', () => {
  const hours = { enabled: true, from: '22:00', to: '07:00', days: [5], time_zone: 'Asia/Shanghai' };
  /** 23:00 on Friday in Shanghai. */
  const friday = new Date('2026-01-30T15:00:00Z');

  it('returns false without quiet hours, and while they are switched off', () => {
    expect([null, { ...hours, enabled: false }, hours].map((one) => isQuiet(one, friday))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('counts the morning after as part of the day on which the hours begin', () => {
    const mornings = ['2026-01-29T22:00:00Z', '2026-01-30T22:00:00Z', '2026-01-31T22:00:00Z'];
    expect(mornings.map((morning) => isQuiet(hours, new Date(morning)))).toEqual([false, true, false]);
  });
});

describe('The checks of quiet hours', () => {
  it.each([
    ['00:00', true],
    ['23:59', true],
    ['24:00', false],
    ['7:00', false],
    ['07:60', false],
    [7, false],
  ])('take %p as a time of day: %p', (value, isValid) => {
    expect(isTimeOfDay(value)).toBe(isValid);
  });

  it.each([
    ['Asia/Shanghai', true],
    ['UTC', true],
    ['Mars/Phobos', false],
    ['+08:00', false],
    ['', false],
    [8, false],
  ])('take %p as a time zone: %p', (value, isValid) => {
    expect(isTimeZone(value)).toBe(isValid);
  });
});
