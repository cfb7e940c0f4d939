import type { LookupAddress } from 'node:dns';
import { loadConfig } from '../../src/config/config';
import { AddressPolicy } from '../../src/outbound/address-policy';
import { NameResolver } from '../../src/outbound/name-resolver';
import { type OutboundAnswer, OutboundClient, type OutboundPost } from '../../src/outbound/outbound-client';
import { OutboundError } from '../../src/outbound/outbound-error';

/** A name resolver that returns the given results one after another, and then repeats the last one. */
export class FakeNameResolver extends NameResolver {
  asked = 0;

  constructor(private readonly responses: string[][]) {
    super();
  }

  protected override ask(): Promise<LookupAddress[]> {
    const addresses = this.responses[Math.min(this.asked, this.responses.length - 1)] ?? [];
    this.asked += 1;
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  }
}

/** Returns a client that may also connect to some networks. */
export const clientFor = (allowed: string, names: NameResolver = new NameResolver()): OutboundClient =>
  new OutboundClient(new AddressPolicy(loadConfig({ OUTBOUND_ALLOWED_NETWORKS: allowed })), names);

const clients: OutboundClient[] = [];

/** Posts, and returns the response or the key of the failure. */
export async function post(
  client: OutboundClient,
  url: string,
  options: Partial<OutboundPost> = {},
): Promise<OutboundAnswer | string> {
  clients.push(client);
  try {
    return await client.post(url, { headers: {}, body: '{}', ...options });
  } catch (error) {
    if (error instanceof OutboundError) return error.failure;
    throw error;
  }
}

/** Closes the connections of the clients of a test. */
export function closeClients(): void {
  for (const client of clients.splice(0)) void client.onApplicationShutdown();
}
