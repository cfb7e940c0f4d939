/**
 * Notifications that are being prepared. A reconnect replays an event and the one that makes its notification obsolete without a
 * pause between them. The second one finds nothing to close, so its tag is kept until the first notification is shown or skipped.
 */
export class PendingNotifications {
  /** Tags that were dismissed since the event of each pending notification. */
  readonly #pending = new Set<Set<string>>();

  /** Calls `show` with a function that returns whether a tag was dismissed after this call of `prepare`. */
  async prepare(show: (isDismissed: (tag: string) => boolean) => Promise<void>): Promise<void> {
    const dismissed = new Set<string>();
    this.#pending.add(dismissed);
    try {
      await show((tag) => dismissed.has(tag));
    } finally {
      this.#pending.delete(dismissed);
    }
  }

  /** Makes the pending notifications with this tag obsolete. */
  dismiss(tag: string): void {
    for (const dismissed of this.#pending) dismissed.add(tag);
  }
}
