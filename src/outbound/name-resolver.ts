import { lookup, type LookupAddress } from 'node:dns';
import { Injectable } from '@nestjs/common';

/** Names that took longer than this are resolved in a separate queue. */
const QUICK_MS = 1_000;
/** Maximum number of remembered names; more than there can be endpoints. */
const MAX_QUICK_NAMES = 1_000;

/**
 * Resolves names like the operating system: with its hosts file, then DNS. Such a lookup occupies one of the two
 * threads that Node uses for lookups until it ends, which takes many seconds if no DNS server responds. Therefore
 * concurrent lookups of one name are shared, and names that were quick the last time have their own queue, so that they
 * never wait for slow ones.
 */
@Injectable()
export class NameResolver {
  readonly #pending = new Map<string, Promise<LookupAddress[]>>();
  readonly #quickNames = new Set<string>();
  /** Resolves when the last lookup of each of the two queues has ended. */
  readonly #lastOf = { quick: Promise.resolve(), other: Promise.resolve() };

  /** Returns all addresses of a name. @throws {Error} with the system's code, such as `ENOTFOUND` */
  addressesOf(name: string): Promise<LookupAddress[]> {
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending;
    const queue = this.#quickNames.has(name) ? 'quick' : 'other';
    const addresses = this.#lastOf[queue].then(() => this.#measured(name));
    this.#pending.set(name, addresses);
    this.#lastOf[queue] = addresses.then(
      () => undefined,
      () => undefined,
    );
    return addresses;
  }

  async #measured(name: string): Promise<LookupAddress[]> {
    const startedAt = performance.now();
    try {
      return await this.ask(name);
    } finally {
      this.#pending.delete(name);
      this.#quickNames.delete(name);
      if (performance.now() - startedAt < QUICK_MS) this.#remember(name);
    }
  }

  #remember(name: string): void {
    if (this.#quickNames.size >= MAX_QUICK_NAMES) this.#quickNames.clear();
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
