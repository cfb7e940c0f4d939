import { Global, Module } from '@nestjs/common';
import { AddressPolicy } from './address-policy';
import { NameResolver } from './name-resolver';
import { OutboundClient } from './outbound-client';

/** HTTP client for requests to URLs that users configure. */
@Global()
@Module({
  providers: [AddressPolicy, NameResolver, OutboundClient],
  exports: [AddressPolicy, OutboundClient],
})
export class OutboundModule {}
