/**
 * `emit`: publish the item now. `defer`: it is due when the interval ends. `drop`: the item, or the one that it
 * replaces, is never published.
 */
export type ThrottleDecision = 'emit' | 'defer' | 'drop';

interface ThrottleState<Item> {
  intervalEnd: number;
  /** Due when the interval ends. */
  deferred?: Item;
  /** Whether the end of the series was emitted last, instead of an item. */
  isEnded: boolean;
}

/**
 * A leading-and-trailing throttle for each key: emits the first item immediately, and one of the items that arrive
 * during the interval when it ends. Has no timer; its owner polls `due`. Times are in milliseconds.
 */
export class Throttle<Item> {
  readonly #states = new Map<string, ThrottleState<Item>>();

  /** @param selectDeferred returns which of two items stays deferred; by default the newer one */
  constructor(
    private readonly intervalMs: number,
    private readonly selectDeferred = (_deferred: Item, item: Item): Item => item,
  ) {}

  /** Decides what happens to an item. */
  take(key: string, item: Item, now: number): ThrottleDecision {
    const state = this.#states.get(key);
    if (state === undefined || now >= state.intervalEnd) return this.#start(key, now);
    const { deferred } = state;
    state.deferred = deferred === undefined ? item : this.selectDeferred(deferred, item);
    return deferred === undefined ? 'defer' : 'drop';
  }

  /** Decides what happens to the end of a series of items: it is never deferred. Drops the deferred item. */
  end(key: string, now: number): ThrottleDecision {
    const state = this.#states.get(key);
    if (state === undefined || now >= state.intervalEnd) return this.#start(key, now, true);
    const decision = state.isEnded ? 'drop' : 'emit';
    this.#states.set(key, { intervalEnd: state.intervalEnd, isEnded: true });
    return decision;
  }

  /** Returns the deferred items that are due, each once. Deletes the state of keys that have none. */
  due(now: number): Item[] {
    const due: Item[] = [];
    for (const [key, { intervalEnd, deferred }] of this.#states) {
      if (now < intervalEnd) continue;
      if (deferred === undefined) this.#states.delete(key);
      else {
        this.#start(key, now);
        due.push(deferred);
      }
    }
    return due;
  }

  #start(key: string, now: number, isEnded = false): 'emit' {
    this.#states.set(key, { intervalEnd: now + this.intervalMs, isEnded });
    return 'emit';
  }
}
