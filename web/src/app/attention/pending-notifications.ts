import type { Dismissal } from './dismissal';

/**
 * Notifications that are being prepared. A reconnect replays an event and the one that makes its notification obsolete without a
 * pause between them. The second one finds nothing to close, so it is kept until the first notification is shown or skipped.
 */
export class PendingNotifications {
  /** The dismissals since the event of each pending notification. */
  readonly #pending = new Set<Dismissal[]>();

  /** Calls `show` with a function that returns whether a notification was dismissed after this call of `prepare`. */
  async prepare(show: (isDismissed: Dismissal) => Promise<void>): Promise<void> {
    const dismissals: Dismissal[] = [];
    this.#pending.add(dismissals);
    try {
      await show((shown) => dismissals.some((dismisses) => dismisses(shown)));
    } finally {
      this.#pending.delete(dismissals);
    }
  }

  /** Makes the pending notifications that match obsolete. */
  dismiss(dismissal: Dismissal): void {
    for (const dismissals of this.#pending) dismissals.push(dismissal);
  }
}
