import { holdLock, onAbort, pause } from '../environment.js';

/** Maximum time that a log-out waits for its hooks. A slow network needs seconds to hang up a call. */
const MAX_WAIT_MS = 10_000;

/** Hooks that run in all tabs before a log-out, while the user is still signed in. */
export class BeforeLogoutHooks {
  readonly #lock: string | undefined;
  readonly #hooks = new Set<() => Promise<unknown>>();
  /** A tab with hooks holds the lock, so that the tab that logs out can wait for it. */
  #holding: AbortController | undefined;

  /** @param lock name of the lock by which tabs wait for each other; left out if the session is not shared by tabs */
  constructor(lock?: string) {
    this.#lock = lock;
  }

  /** Adds a hook. Returns a function that removes it. */
  add(hook: () => Promise<unknown>): () => void {
    this.#hooks.add(hook);
    if (this.#holding === undefined && this.#lock !== undefined) {
      this.#holding = new AbortController();
      void holdLock(this.#lock, untilReleased, this.#holding);
    }
    return () => {
      this.#hooks.delete(hook);
      if (this.#hooks.size === 0) this.#release();
    };
  }

  /** Runs the hooks of this tab. Ignores errors, and does not wait longer than `MAX_WAIT_MS`. */
  async run(): Promise<void> {
    const hooks = Promise.allSettled([...this.#hooks].map((hook) => hook()));
    if (this.#hooks.size > 0) await withTimeout(MAX_WAIT_MS, () => hooks);
    this.#release();
  }

  /** Waits until the hooks of the other tabs have run, at most `MAX_WAIT_MS`. */
  async waitForOtherTabs(): Promise<void> {
    const lock = this.#lock;
    if (lock !== undefined)
      await withTimeout(MAX_WAIT_MS, (signal) => holdLock(lock, async () => undefined, { signal }));
  }

  #release(): void {
    this.#holding?.abort();
    this.#holding = undefined;
  }
}

const untilReleased = (lost: AbortSignal): Promise<void> =>
  new Promise((resolve) => void onAbort(lost, resolve));

/** Runs `run` and waits for it, at most `ms`. Aborts its signal afterwards. */
async function withTimeout(ms: number, run: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const ending = new AbortController();
  await Promise.race([run(ending.signal), pause(ms, ending.signal)]);
  ending.abort();
}
