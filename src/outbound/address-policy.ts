import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { networkList } from '../config/networks';
import { isPublicAddress, isWithin } from './rules/public-address';

/**
 * Decides which addresses the service may send requests to when users configure the URL: public addresses by https, and
 * those of `OUTBOUND_ALLOWED_NETWORKS` by http as well (API 14.5).
 */
@Injectable()
export class AddressPolicy {
  readonly #exempt: ReturnType<typeof networkList>;
  readonly #hasExemptions: boolean;

  constructor(@Inject(CONFIG) { backEnds }: Config) {
    this.#exempt = networkList(backEnds.outboundAllowedNetworks);
    this.#hasExemptions = backEnds.outboundAllowedNetworks.length > 0;
  }

  /** Whether a connection to an address is allowed. */
  allows(address: string, { isEncrypted }: { isEncrypted: boolean }): boolean {
    return isWithin(this.#exempt, address) || (isEncrypted && isPublicAddress(address));
  }

  /** Whether a URL may be allowed. The addresses of a host name are checked only when a connection is made. */
  mayAllow({ protocol, hostname }: URL): boolean {
    const isEncrypted = protocol === 'https:';
    // `URL` has normalised the notation of IP addresses, and writes IPv6 ones in brackets.
    const address = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0) return this.allows(address, { isEncrypted });
    return isEncrypted || this.#hasExemptions;
  }
}
