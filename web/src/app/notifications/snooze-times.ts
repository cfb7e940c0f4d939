/** A time until which a notification can be snoozed. */
export interface SnoozeTime {
  name: 'hour' | 'evening' | 'morning' | 'week';
  /** ISO 8601. */
  until: string;
}

const HOUR_MS = 3_600_000;
const EVENING = 18;
const MORNING = 9;
const DAYS = 7;

/** Returns the times to choose from: in an hour, this evening (if it is at least an hour away), tomorrow, next Monday. */
export function snoozeTimes(now: Date): SnoozeTime[] {
  const at = (days: number, hour: number): Date =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
  const inAnHour = new Date(now.getTime() + HOUR_MS);
  const daysToMonday = DAYS - ((now.getDay() + 6) % DAYS);
  const times: [SnoozeTime['name'], Date][] = [['hour', inAnHour]];
  if (at(0, EVENING) > inAnHour) times.push(['evening', at(0, EVENING)]);
  times.push(['morning', at(1, MORNING)]);
  if (daysToMonday > 1) times.push(['week', at(daysToMonday, MORNING)]);
  return times.map(([name, until]) => ({ name, until: until.toISOString() }));
}
