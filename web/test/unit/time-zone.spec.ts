import { toTimestamp } from '../../src/admin/parts/time-zone';

describe('toTimestamp', () => {
  it.each([
    ['Asia/Shanghai', '2026-01-31T16:00', '2026-01-31T08:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29T04:00', '2026-03-29T02:00:00.000Z'],
    ['Europe/Berlin', '2026-03-28T04:00', '2026-03-28T03:00:00.000Z'],
    ['UTC', 'soon', 'soon'],
  ])('converts a local time in %s: %s', (zone, local, timestamp) => {
    expect(toTimestamp(zone, local)).toBe(timestamp);
  });
});
