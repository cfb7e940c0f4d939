import type { CalendarDays } from './calendar-days.rules';
import {
  CALL_FIGURES,
  type CallFigure,
  figuresOf,
  type CountedCall,
  MEDIA,
  type Media,
} from './call-figures.rules';

/* Names of the daily metrics, and sums of their values. */

/** The `day` of a metric of all days together. */
export const ALL_DAYS = '';

/** Value of a metric on a day, or an increment of it; a negative one is a decrement. */
export interface Figure {
  metric: string;
  day: string;
  value: number;
}

const callMetric = (media: string, figure: CallFigure): string => `calls.${media}.${figure}`;

/** Returns the metric names of call figures, for one media type or for both. */
export const callMetrics = (figures: readonly CallFigure[] = CALL_FIGURES, media?: Media): string[] =>
  (media === undefined ? MEDIA : [media]).flatMap((type) => figures.map((name) => callMetric(type, name)));

/** Messages that users have sent, without system messages. */
export const MESSAGES = 'messages';
/**
 * Messages deleted with groups that all members had left, by the day on which they were sent; `MESSAGES` includes them.
 */
export const MESSAGES_REMOVED = 'messages.removed';
export const ACTIVE_USERS = 'active_users';
export const NEW_USERS = 'new_users';
/** Number of users, with `ALL_DAYS` as its day. */
export const USERS = 'users';

/** Returns the metrics that a finished call adds to: those of the day of its creation. */
export function callFigures(call: CountedCall, days: CalendarDays): Figure[] {
  const day = days.of(new Date(call.created_at).getTime());
  return figuresOf(call).map(([name, value]) => ({ metric: callMetric(call.media_type, name), day, value }));
}

/** Sums metric values by name and day. */
export class FigureSums {
  readonly #sums = new Map<string, Figure>();

  constructor(figures: readonly Figure[] = []) {
    this.add(figures);
  }

  add(figures: readonly Figure[]): void {
    for (const { metric, day, value } of figures) {
      const key = `${metric} ${day}`;
      const sum = this.#sums.get(key);
      if (sum === undefined) this.#sums.set(key, { metric, day, value });
      else sum.value += value;
    }
  }

  /** The sums other than 0, ordered by name and day. All transactions lock the metric rows in this order. */
  get figures(): Figure[] {
    return [...this.#sums]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, figure]) => (figure.value === 0 ? [] : [figure]));
  }
}

/** Returns the sums other than 0, ordered by name and day. */
export const summed = (figures: readonly Figure[]): Figure[] => new FigureSums(figures).figures;
