/** In characters; what drivers say can be long. */
const LONGEST_ERROR = 300;

/** What has come of something, on this instance since it began; null where nothing has. */
export interface Outcome {
  lastSuccessAt: Date | null;
  lastErrorAt: Date | null;
  lastError: string | null;
}

/** Remembers of something that is done again and again when it succeeded last, and what went wrong last. */
export class RunRecord {
  #outcome: Readonly<Outcome> = { lastSuccessAt: null, lastErrorAt: null, lastError: null };
  #isFailing = false;

  /** @param now the time of an outcome; the machine's when left out */
  constructor(private readonly now: () => Date = () => new Date()) {}

  /** Remembers what comes of some work, and hands it on. */
  async of<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      this.#outcome = { ...this.#outcome, lastSuccessAt: this.now() };
      this.#isFailing = false;
      return result;
    } catch (error) {
      this.#outcome = { ...this.#outcome, lastErrorAt: this.now(), lastError: inALine(error) };
      this.#isFailing = true;
      throw error;
    }
  }

  /** Whether it failed the last time. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  get outcome(): Readonly<Outcome> {
    return this.#outcome;
  }
}

/** An error, as it is shown: not all that drivers say. */
export const inALine = (error: unknown): string =>
  String(error).replaceAll(/\s+/g, ' ').slice(0, LONGEST_ERROR).toWellFormed();
