import { Module } from '@nestjs/common';
import { DomainEvents } from './domain-events';

/**
 * Imported by modules that record domain events. Dispatches nothing, so a script can record domain events that an
 * instance of the service dispatches later.
 */
@Module({ providers: [DomainEvents], exports: [DomainEvents] })
export class DomainEventsModule {}
