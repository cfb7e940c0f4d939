import { setTimeout as pause } from 'node:timers/promises';
import { EventReader } from './event-reader';

const RETRY_DELAY_MS = 50;

/** A client of its user's event stream that, when the stream breaks, resumes after the last received event. */
export class PersistentReader {
  readonly #before: number[] = [];
  #isOver = false;
  #reader?: EventReader;
  readonly #listening: Promise<void>;

  constructor(
    private readonly userId: number,
    private readonly url: () => string,
  ) {
    this.#listening = this.#listen();
  }

  /** Ids of the received events, in the order of arrival. */
  get ids(): number[] {
    return [...this.#before, ...(this.#reader?.ids ?? [])];
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#reader?.close();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    while (!this.#isOver) {
      this.#reader = await EventReader.open(this.url(), {
        userId: this.userId,
        lastEventId: this.ids.at(-1) ?? 0,
      }).catch(() => undefined);
      await this.#reader?.ended;
      const seen = this.#reader?.ids ?? [];
      this.#reader = undefined;
      this.#before.push(...seen);
      await pause(RETRY_DELAY_MS);
    }
  }
}
