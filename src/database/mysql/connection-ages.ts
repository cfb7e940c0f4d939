/**
 * Finds the connections that no longer lead to the primary. When a primary is demoted, its connections stay open: each
 * of them would fail every write, and return stale rows to every read, for as long as a pool keeps it.
 *
 * - The first rejected statement retires every connection opened so far.
 * - The first change that succeeds afterwards, on a connection opened since, proves that a primary is reached again.
 *   Connections opened before that one may lead to the old server, through a proxy that had not switched yet, and are
 *   retired as well.
 */
export class ConnectionAges<Connection extends object> {
  /**
   * Number of each connection, in the order of opening. Connections from before the pools were watched are absent, and
   * so the oldest.
   */
  readonly #ages = new WeakMap<Connection, number>();
  #newest = 0;
  #retiredUpTo = -1;
  #isDemoted = false;

  /** Records a connection that has just been opened. */
  track(connection: Connection): void {
    this.#ages.set(connection, (this.#newest += 1));
  }

  /** Whether a connection must not be used again. */
  isRetired(connection: Connection): boolean {
    return this.#ageOf(connection) <= this.#retiredUpTo;
  }

  /** Records that a server has rejected a statement because it is not, or is no longer, the primary. */
  noteDemotion(): void {
    if (this.#isDemoted) return;
    this.#isDemoted = true;
    this.#retiredUpTo = this.#newest;
  }

  /** Records that rows were changed on a connection. */
  noteChange(connection: Connection): void {
    // The response to a change from before the demotion may be read after the first rejection.
    if (!this.#isDemoted || this.isRetired(connection)) return;
    this.#isDemoted = false;
    this.#retiredUpTo = this.#ageOf(connection) - 1;
  }

  #ageOf(connection: Connection): number {
    return this.#ages.get(connection) ?? 0;
  }
}
