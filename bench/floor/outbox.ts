import { setTimeout as pause } from 'node:timers/promises';
import { CalendarDays } from '../../src/statistics/rules/calendar-days.rules';
import { callFigures, summed } from '../../src/statistics/rules/metrics.rules';
import type { CallView } from './call-views';
import { marks, times, transaction } from './database';

/** Minimum pause between two dispatches, as in the service. */
const PAUSE_MS = 50;
const MAX_EVENTS = 100;
const DAYS = new CalendarDays('Asia/Shanghai');
/** Interval at which handled domain events are deleted, as in the service. */
const TRIM_INTERVAL_MS = 10_000;

interface Recorded {
  id: number;
  payload: CallView;
}

const queue: Recorded[] = [];
/** Ids of handled domain events that are not deleted yet. */
let handled: number[] = [];
let isDispatching = false;

/** Dispatches the end of a call soon: it gets its position, and is counted, in one transaction for all consumers. */
export function dispatchLater(event: Recorded): void {
  queue.push(event);
  if (isDispatching) return;
  isDispatching = true;
  void dispatchAll().finally(() => {
    isDispatching = false;
  });
}

async function dispatchAll(): Promise<void> {
  while (queue.length > 0) {
    const events = queue.splice(0, MAX_EVENTS);
    const ids = events.map(({ id }) => id);
    await transaction(async (tx) => {
      const figures = summed(events.flatMap(({ payload }) => callFigures(payload, DAYS)));
      const [head] = await tx.select<{ position: number }>(
        "SELECT position FROM domain_event_positions WHERE name = 'head' FOR UPDATE",
        [],
      );
      const first = (head?.position ?? 0) + 1;
      void tx.change('UPDATE domain_event_positions SET position = ?', [first + ids.length - 1]);
      void tx.change(
        `UPDATE domain_events FORCE INDEX (PRIMARY) SET position = CASE id ${'WHEN ? THEN ? '.repeat(ids.length)} END
         WHERE id IN (${marks(ids)})`,
        [...ids.flatMap((id, index) => [id, first + index]), ...ids],
      );
      void tx.change(
        `INSERT INTO stats_daily (metric, day, value) VALUES ${times(figures.length, '(?, ?, ?)')}
         ON DUPLICATE KEY UPDATE value = stats_daily.value + VALUES(value)`,
        figures.flatMap(({ metric, day, value }) => [metric, day, value]),
      );
      await tx.settled();
    });
    handled.push(...ids);
    await pause(PAUSE_MS);
  }
}

setInterval(() => {
  const ids = handled;
  handled = [];
  if (ids.length === 0) return;
  void transaction(async (tx) => {
    await tx.change(
      `DELETE domain_events FROM domain_events FORCE INDEX (PRIMARY) WHERE id IN (${marks(ids)})`,
      ids,
    );
  });
}, TRIM_INTERVAL_MS).unref();
