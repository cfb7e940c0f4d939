/** Maximum length of an error text in characters. Messages of database drivers can be long. */
const MAX_ERROR_LENGTH = 300;

/** Last outcomes of a repeated task on this instance since its start; null if there is none. */
export interface RunOutcome {
  lastSuccessAt: Date | null;
  lastErrorAt: Date | null;
  lastError: string | null;
}

/** Records the last success and the last error of a repeated task. */
export class RunRecord {
  #outcome: Readonly<RunOutcome> = { lastSuccessAt: null, lastErrorAt: null, lastError: null };
  #isFailing = false;

  /** @param now returns the time of an outcome; default: the machine's time */
  constructor(private readonly now: () => Date = () => new Date()) {}

  /** Records the outcome of `work`, and returns its result or throws its error. */
  async of<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      this.succeed();
      return result;
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /** Records a success. */
  succeed(): void {
    this.#outcome = { ...this.#outcome, lastSuccessAt: this.now() };
    this.#isFailing = false;
  }

  /** Records an error. */
  fail(error: unknown): void {
    this.#outcome = { ...this.#outcome, lastErrorAt: this.now(), lastError: inALine(error) };
    this.#isFailing = true;
  }

  /** Whether the last run failed. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  get outcome(): Readonly<RunOutcome> {
    return this.#outcome;
  }
}

/** Returns the text of an error on one line, cut to `MAX_ERROR_LENGTH`. */
export const inALine = (error: unknown): string =>
  String(error).replaceAll(/\s+/g, ' ').slice(0, MAX_ERROR_LENGTH).toWellFormed();
