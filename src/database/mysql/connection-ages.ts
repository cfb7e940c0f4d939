/**
 * Finds the connections that no longer lead to the server to write to. When a primary is demoted, its connections stay open: each
 * of them would refuse every write, and return stale rows to every read, for as long as a pool keeps it.
 *
 * - The first refusal retires every connection made so far.
 * - The first change that succeeds afterwards, on a connection made since, proves that a primary is reached again. Connections
 *   made before that one may lead to the old server, by a proxy that had not moved yet, and are retired as well.
 */
export class ConnectionAges<Connection extends object> {
  /** Not tracked, and so the oldest: connections from before the pools were watched. */
  readonly #ages = new WeakMap<Connection, number>();
  #newest = 0;
  #retiredUpTo = -1;
  #isDemoted = false;

  /** Notes a connection that has just been made. */
  track(connection: Connection): void {
    this.#ages.set(connection, (this.#newest += 1));
  }

  /** Whether a connection must not be used again. */
  isRetired(connection: Connection): boolean {
    return this.#ageOf(connection) <= this.#retiredUpTo;
  }

  /** Notes that a server has refused a statement because it is not, or no longer, the primary. */
  noteDemotion(): void {
    if (this.#isDemoted) return;
    this.#isDemoted = true;
    this.#retiredUpTo = this.#newest;
  }

  /** Notes that rows were changed on a connection. */
  noteChange(connection: Connection): void {
    // The answer to a change from before the demotion may be read after the first refusal.
    if (!this.#isDemoted || this.isRetired(connection)) return;
    this.#isDemoted = false;
    this.#retiredUpTo = this.#ageOf(connection) - 1;
  }

  #ageOf(connection: Connection): number {
    return this.#ages.get(connection) ?? 0;
  }
}
