import { lookup, type LookupAddress, promises as dns } from 'node:dns';
import { Injectable } from '@nestjs/common';

/** A query is repeated once, so names whose servers do not respond fail after three seconds per server. */
const QUERY = { timeout: 1_000, tries: 2 };
/** Results that mean that DNS does not know the name, or that there is no DNS server. */
const UNKNOWN_TO_DNS = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Resolves names by DNS queries: they occupy no thread and have a time limit, so names whose servers do not respond
 * delay no other name. A name that DNS does not know, and one without a dot, is looked up by the operating system, with
 * its hosts file and search domains. Such a look-up occupies one of the two threads that Node uses for look-ups until it
 * ends, so these run one after another.
 */
@Injectable()
export class NameResolver {
  readonly #pending = new Map<string, Promise<LookupAddress[]>>();
  readonly #resolver = new dns.Resolver(QUERY);
  /** Resolves when the last look-up of the operating system has ended. */
  #lastLookUp = Promise.resolve();

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
    const found = name.includes('.') ? await this.query(name) : [];
    if (found.length > 0) return found;
    const addresses = this.#lastLookUp.then(() => this.lookUp(name));
    this.#lastLookUp = addresses.then(
      () => undefined,
      () => undefined,
    );
    return addresses;
  }

  /** Returns the addresses that DNS has for a name; none if it does not know the name. */
  protected async query(name: string): Promise<LookupAddress[]> {
    const results = await Promise.allSettled([this.#resolver.resolve4(name), this.#resolver.resolve6(name)]);
    const addresses = results.flatMap((result, index) =>
      result.status === 'fulfilled'
        ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
        : [],
    );
    const failure = results.find(
      (result) =>
        result.status === 'rejected' && !UNKNOWN_TO_DNS.has((result.reason as { code: string }).code),
    );
    if (addresses.length === 0 && failure?.status === 'rejected') throw failure.reason;
    return addresses;
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
