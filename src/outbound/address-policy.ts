import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { networkList } from '../config/networks';
import { isPublicAddress, isWithin } from './rules/public-address';

/**
 * Whom the service speaks to where others choose the address: public addresses by https, and those of
 * `OUTBOUND_ALLOWED_NETWORKS`, by http too (contract 12.2).
 */
@Injectable()
export class AddressPolicy {
  readonly #exempt: ReturnType<typeof networkList>;
  readonly #hasExemptions: boolean;

  constructor(@Inject(CONFIG) { backEnds }: Config) {
    this.#exempt = networkList(backEnds.outboundAllowedNetworks);
    this.#hasExemptions = backEnds.outboundAllowedNetworks.length > 0;
  }

  /** Whether a connection may go to an address. */
  allows(address: string, { isEncrypted }: { isEncrypted: boolean }): boolean {
    return isWithin(this.#exempt, address) || (isEncrypted && isPublicAddress(address));
  }

  /** Whether a URL could be spoken to: what its name leads to shows only then. */
  mayAllow({ protocol, hostname }: URL): boolean {
    const isEncrypted = protocol === 'https:';
    const address = literalIn(hostname);
    if (address !== undefined) return this.allows(address, { isEncrypted });
    return isEncrypted || this.#hasExemptions;
  }
}

/** The address that a URL names as its host, which `URL` has brought into one spelling; undefined of a name. */
function literalIn(hostname: string): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}
