import { holdLock, onAbort, pause } from '../environment.js';

/** A log-out waits no longer for what is done before it. */
const PATIENCE_MS = 2_000;

/** What is to be done before a log-out, while somebody is still signed in, in all tabs. */
export class LastActs {
  readonly #lock: string | undefined;
  readonly #acts = new Set<() => Promise<unknown>>();
  /** While there is something to be done the tab holds the lock, so that the tab that logs out can wait for it. */
  #holding: AbortController | undefined;

  /** `lock`: by which the tabs wait for each other; left out: there are no others. */
  constructor(lock?: string) {
    this.#lock = lock;
  }

  /** Notes what is to be done; answers what takes it back. */
  add(act: () => Promise<unknown>): () => void {
    this.#acts.add(act);
    if (this.#holding === undefined && this.#lock !== undefined) {
      this.#holding = new AbortController();
      void holdLock(this.#lock, untilReleased, this.#holding);
    }
    return () => {
      this.#acts.delete(act);
      if (this.#acts.size === 0) this.#release();
    };
  }

  /** Does what is to be done in this tab; what fails, or takes too long, is left. */
  async perform(): Promise<void> {
    const acts = Promise.allSettled([...this.#acts].map((act) => act()));
    if (this.#acts.size > 0) await within(PATIENCE_MS, () => acts);
    this.#release();
  }

  /** Waits until the other tabs have done theirs. */
  async others(): Promise<void> {
    const lock = this.#lock;
    if (lock !== undefined)
      await within(PATIENCE_MS, (signal) => holdLock(lock, async () => undefined, { signal }));
  }

  #release(): void {
    this.#holding?.abort();
    this.#holding = undefined;
  }
}

const untilReleased = (lost: AbortSignal): Promise<void> =>
  new Promise((resolve) => void onAbort(lost, resolve));

/** Waits for `act`, but no longer than `ms`. */
async function within(ms: number, act: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([act(over.signal), pause(ms, over.signal)]);
  over.abort();
}
