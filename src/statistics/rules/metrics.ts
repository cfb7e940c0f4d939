import {
  CALL_FIGURES,
  type CallFigure,
  figuresOf,
  type FinishedCall,
  MEDIA,
  type Media,
} from './call-figures';

/* The names under which figures are kept, and sums of them. */

/** As a `day`: of all days together. */
export const ALL_DAYS = '';

/** Something that adds to a figure of a day, or takes away from it. */
export interface Figure {
  metric: string;
  day: string;
  value: number;
}

export const callMetric = (media: Media, figure: CallFigure): string => `calls.${media}.${figure}`;

/** The names of some figures of calls, of one kind of media or of both. */
export const callMetrics = (figures: readonly CallFigure[] = CALL_FIGURES, media?: Media): string[] =>
  (media === undefined ? MEDIA : [media]).flatMap((one) => figures.map((name) => callMetric(one, name)));

/** Messages that people have sent. */
export const MESSAGES = 'messages';
/** Of these, those that left with groups that everybody had left, by the day on which they were sent. */
export const MESSAGES_REMOVED = 'messages.removed';
export const ACTIVE_USERS = 'active_users';
export const NEW_USERS = 'new_users';
/** Kept of all days together. */
export const USERS = 'users';

/** What a finished call adds to its day. */
export const callFigures = (call: FinishedCall & { media: Media }, day: string): Figure[] =>
  figuresOf(call).map(([name, value]) => ({ metric: callMetric(call.media, name), day, value }));

/** Figures that are added up, each by its name and day. */
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

  /** Those that say something, in the order of names and days: that in which everybody changes them. */
  get figures(): Figure[] {
    return [...this.#sums]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, figure]) => (figure.value === 0 ? [] : [figure]));
  }
}

/** Figures that say something, each name and day once, in order. */
export const summed = (figures: readonly Figure[]): Figure[] => new FigureSums(figures).figures;
