import { lookup, type LookupAddress, promises as dns, TIMEOUT } from 'node:dns';
import { Injectable } from '@nestjs/common';

/** A query is repeated once, so names whose servers do not respond fail after three seconds per server. */
const QUERY = { timeout: 1_000, tries: 2 };
const FAMILIES = [4, 6] as const;

/**
 * Resolves names by DNS queries: they occupy no thread and have a time limit, so names whose servers do not respond
 * delay no other name. The operating system, with its hosts file and search domains, looks up names without a dot and
 * those for which DNS responds without an address. Such a look-up occupies one of the two threads that Node uses for
 * look-ups until it ends, so these run one after another.
 */
@Injectable()
export class NameResolver {
  readonly #pending = new Map<string, Promise<LookupAddress[]>>();
  readonly #resolver = new dns.Resolver(QUERY);
  /** Resolves when the last look-up of the operating system has ended. */
  #lastLookUp: Promise<unknown> = Promise.resolve();

  /**
   * Returns all addresses of a name. Concurrent calls for one name share the result.
   * @throws {Error} with the code of the resolver, such as `ENOTFOUND` or `ETIMEOUT`
   */
  addressesOf(name: string): Promise<LookupAddress[]> {
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending;
    const addresses = this.ask(name).finally(() => this.#pending.delete(name));
    this.#pending.set(name, addresses);
    return addresses;
  }

  protected async ask(name: string): Promise<LookupAddress[]> {
    const found = name.includes('.') ? await this.#query(name) : [];
    if (found.length > 0) return found;
    const addresses = this.#lastLookUp.then(() => this.lookUp(name));
    this.#lastLookUp = addresses.catch(() => undefined);
    return addresses;
  }

  /** Returns the addresses that DNS has for a name. @throws {Error} `ETIMEOUT` if there are none and no response either */
  async #query(name: string): Promise<LookupAddress[]> {
    const results = await Promise.allSettled(
      FAMILIES.map(async (family) =>
        (await this.records(name, family)).map((address) => ({ address, family })),
      ),
    );
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const timeOut = results.find(
      (result) => result.status === 'rejected' && (result.reason as { code?: string }).code === TIMEOUT,
    );
    if (addresses.length === 0 && timeOut?.status === 'rejected') throw timeOut.reason;
    return addresses;
  }

  /** Returns the addresses of one family that DNS has for a name. @throws {Error} with the code of the resolver */
  protected records(name: string, family: (typeof FAMILIES)[number]): Promise<string[]> {
    return family === 4 ? this.#resolver.resolve4(name) : this.#resolver.resolve6(name);
  }

  /** Returns the addresses that the operating system finds. */
  protected lookUp(name: string): Promise<LookupAddress[]> {
    const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>();
    lookup(name, { all: true, order: 'verbatim' }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
    return promise;
  }
}
