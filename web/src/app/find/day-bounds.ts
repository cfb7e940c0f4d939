/** Bounds of a search by time, as `GET /api/messages/search` takes them. */
interface Bounds {
  from: string | undefined;
  to: string | undefined;
}

/**
 * Converts the first and last day of a search, such as `2026-01-31`, to the instants at which they begin and end in the browser's
 * time zone. The service reads days in its own time zone.
 */
export const toBounds = (since: string | undefined, until: string | undefined): Bounds => ({
  from: since && midnight(since, 0),
  to: until && midnight(until, 1),
});

/** Returns the beginning of the day that is `days` after `day`; `day` itself if it is invalid, which the service rejects. */
function midnight(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + days);
  return Number.isNaN(date.getTime()) ? day : date.toISOString();
}
