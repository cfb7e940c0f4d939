import { lookup, type LookupAddress } from 'node:dns';
import { Injectable } from '@nestjs/common';

/** Names that take longer are looked up apart from the others. */
const QUICK_MS = 1_000;
/** So many names are remembered; more than there are endpoints. */
const MOST_REMEMBERED = 1_000;

/**
 * Looks names up, as the system does: in its hosts file, then by DNS. Such a look-up holds one of the two threads that Node
 * has for them until it is over, for many seconds where nobody answers. So those that ask for the same name meanwhile share
 * it, and names that were quick the last time have a thread of their own: they never wait for those that were not.
 */
@Injectable()
export class NameResolver {
  readonly #underWay = new Map<string, Promise<LookupAddress[]>>();
  readonly #quickNames = new Set<string>();
  /** The last look-up of each of the two threads, when it is over. */
  readonly #lastOf = { quick: Promise.resolve(), other: Promise.resolve() };

  /** Every address of a name. @throws {Error} with the system's code, such as `ENOTFOUND` */
  addressesOf(name: string): Promise<LookupAddress[]> {
    const known = this.#underWay.get(name);
    if (known !== undefined) return known;
    const thread = this.#quickNames.has(name) ? 'quick' : 'other';
    const asked = this.#lastOf[thread].then(() => this.#timed(name));
    this.#underWay.set(name, asked);
    this.#lastOf[thread] = asked.then(
      () => undefined,
      () => undefined,
    );
    return asked;
  }

  async #timed(name: string): Promise<LookupAddress[]> {
    const begun = performance.now();
    try {
      return await this.ask(name);
    } finally {
      this.#underWay.delete(name);
      this.#quickNames.delete(name);
      if (performance.now() - begun < QUICK_MS) this.#remember(name);
    }
  }

  #remember(name: string): void {
    if (this.#quickNames.size >= MOST_REMEMBERED) this.#quickNames.clear();
    this.#quickNames.add(name);
  }

  protected ask(name: string): Promise<LookupAddress[]> {
    const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>();
    lookup(name, { all: true, order: 'verbatim' }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
    return promise;
  }
}
