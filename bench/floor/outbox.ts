import { setTimeout as pause } from 'node:timers/promises';
import { dateTime } from '../baseline/local-time';
import { toFinishedCall } from '../../src/statistics/rules/finished-call.rules';
import { callFigures, summed } from '../../src/statistics/rules/metrics.rules';
import type { CallView } from './call-views';
import { marks, times, transaction } from './database';

/** Minimum pause between two dispatches, as in the service. */
const PAUSE_MS = 50;
const MAX_EVENTS = 100;

interface Recorded {
  id: number;
  payload: CallView;
}

const queue: Recorded[] = [];
let isDispatching = false;

/** Dispatches the end of a call soon: its row leaves the outbox in the transaction that counts the call. */
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
    await transaction(async (tx) => {
      const ids = events.map(({ id }) => id);
      const figures = summed(
        events.flatMap(({ payload }) =>
          callFigures(toFinishedCall(payload), dateTime(new Date(payload.created_at)).slice(0, 10)),
        ),
      );
      void tx.change(
        `DELETE outbox FROM outbox FORCE INDEX (PRIMARY) WHERE id IN (${marks(ids)}) AND claim = 'floor'`,
        ids,
      );
      void tx.change(
        `INSERT INTO stats_daily (metric, day, value) VALUES ${times(figures.length, '(?, ?, ?)')}
         ON DUPLICATE KEY UPDATE value = stats_daily.value + VALUES(value)`,
        figures.flatMap(({ metric, day, value }) => [metric, day, value]),
      );
      await tx.settled();
    });
    await pause(PAUSE_MS);
  }
}
