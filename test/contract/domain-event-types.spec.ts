import { DOMAIN_EVENT_TYPES } from '../../src/outbox/domain-event-types';
import type { DomainEvents } from '../../src/outbox/domain-events';
import { DOMAIN_EVENT_SCHEMAS } from '../../src/outbox/dto/domain-event-schemas';
import { documentedTypes } from '../support/documented-types';

describe('The types of domain events', () => {
  it('are documented with their payload fields, without extra entries', () => {
    const known = DOMAIN_EVENT_TYPES.map((type) => [
      type,
      Object.keys(DOMAIN_EVENT_SCHEMAS[type]).toSorted(),
    ]);
    expect(documentedTypes('docs/webhooks.md')).toEqual(Object.fromEntries(known));
  });

  it('have one schema each', () => {
    expect(Object.keys(DOMAIN_EVENT_SCHEMAS)).toEqual([...DOMAIN_EVENT_TYPES]);
  });

  it('fit into their column', () => {
    expect(DOMAIN_EVENT_TYPES.filter((type) => type.length > 50)).toEqual([]);
  });

  /** `npm run lint` reports the errors. */
  it('compile only with their own payload', () => {
    const record = (domainEvents: DomainEvents, em: Parameters<DomainEvents['record']>[0]): void => {
      // @ts-expect-error no such type
      domainEvents.record(em, 'call.forgotten', 'call:1', () => ({}));
      // @ts-expect-error another type's payload
      domainEvents.record(em, 'user.created', 'user:1', () => ({ device: {} }));
    };
    expect(record).toHaveLength(2);
  });
});
