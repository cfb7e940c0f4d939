import { Global, Module } from '@nestjs/common';
import { AddressPolicy } from './address-policy';
import { NameResolver } from './name-resolver';
import { OutboundClient } from './outbound-client';

/** The way out, to addresses that others have chosen. */
@Global()
@Module({
  providers: [AddressPolicy, NameResolver, OutboundClient],
  exports: [AddressPolicy, OutboundClient],
})
export class OutboundModule {}
