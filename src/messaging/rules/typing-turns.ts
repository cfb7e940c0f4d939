/*
 * A leading-and-trailing throttle for typing events: one in three seconds for each key. The first event is emitted
 * immediately, the last of the deferred ones at the end of the interval. That a user has stopped is emitted immediately
 * too. Pure; times are in milliseconds.
 */

export const TYPING_INTERVAL_MS = 3_000;

/**
 * `told`: publish it now. `held`: deferred until the interval ends. `dropped`: the members know this state already, or
 * will receive the deferred one.
 */
export type TypingTurn = 'told' | 'held' | 'dropped';

interface Turn<Item> {
  item: Item;
  /** End of the interval. */
  intervalEnd: number;
  /** The state that was emitted last. */
  lastEmitted: boolean;
  /** Whether an event that the user is typing is deferred. */
  isDeferred: boolean;
}

/** A throttle for each key. `Item` is what the caller publishes for it. */
export class TypingTurns<Item> {
  readonly #turns = new Map<string, Turn<Item>>();

  /**
   * Decides what happens to an event that a user is typing or has stopped.
   * @param key identifies the user and the conversation
   */
  take(key: string, item: Item, typing: boolean, now: number): TypingTurn {
    const turn = this.#turns.get(key);
    if (turn === undefined || now >= turn.intervalEnd) return this.#emit(key, item, typing, now);
    if (!typing) {
      turn.isDeferred = false;
      if (!turn.lastEmitted) return 'dropped';
      turn.lastEmitted = false;
      return 'told';
    }
    if (turn.isDeferred) return 'dropped';
    turn.isDeferred = true;
    return 'held';
  }

  /**
   * Returns the items whose deferred event is due. Deletes entries whose interval has ended without a deferred event.
   */
  due(now: number): Item[] {
    const due: Item[] = [];
    for (const [key, { item, intervalEnd, isDeferred }] of this.#turns) {
      if (now < intervalEnd) continue;
      if (!isDeferred) this.#turns.delete(key);
      else {
        this.#emit(key, item, true, now);
        due.push(item);
      }
    }
    return due;
  }

  #emit(key: string, item: Item, lastEmitted: boolean, now: number): 'told' {
    this.#turns.set(key, { item, intervalEnd: now + TYPING_INTERVAL_MS, lastEmitted, isDeferred: false });
    return 'told';
  }
}
