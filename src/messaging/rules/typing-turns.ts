/*
 * Who types is passed on once in three seconds: the first at once, and then the last that was held back; that somebody
 * has stopped at once, too. Pure; moments are in milliseconds.
 */

export const TYPING_INTERVAL_MS = 3_000;

/** `told`: pass it on now. `held`: perhaps later. `dropped`: it says nothing new, or replaces what was held. */
export type TypingTurn = 'told' | 'held' | 'dropped';

interface Turn<Who> {
  who: Who;
  /** When the next may be passed on. */
  until: number;
  /** What was passed on last. */
  told: boolean;
  /** Whether that somebody types has been held back since. */
  isHeld: boolean;
}

/** What has been passed on of each user in each conversation, `Who`. */
export class TypingTurns<Who> {
  readonly #turns = new Map<string, Turn<Who>>();

  /** What becomes of somebody's typing, or having stopped. @param key names who and where */
  take(key: string, who: Who, typing: boolean, now: number): TypingTurn {
    const turn = this.#turns.get(key);
    if (turn === undefined || now >= turn.until) return this.#tell(key, who, typing, now);
    if (!typing) {
      turn.isHeld = false;
      if (!turn.told) return 'dropped';
      turn.told = false;
      return 'told';
    }
    if (turn.isHeld) return 'dropped';
    turn.isHeld = true;
    return 'held';
  }

  /** Those whose typing was held back long enough; of whom there is nothing more to say is forgotten. */
  due(now: number): Who[] {
    const due: Who[] = [];
    for (const [key, { who, until, isHeld }] of this.#turns) {
      if (now < until) continue;
      if (!isHeld) this.#turns.delete(key);
      else {
        this.#tell(key, who, true, now);
        due.push(who);
      }
    }
    return due;
  }

  #tell(key: string, who: Who, told: boolean, now: number): 'told' {
    this.#turns.set(key, { who, until: now + TYPING_INTERVAL_MS, told, isHeld: false });
    return 'told';
  }
}
