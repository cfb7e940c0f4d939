import { DOMAIN_EVENT_TYPES } from '../../src/outbox/domain-event-types';
import type { DomainEvents } from '../../src/outbox/domain-events';
import { ACT_SCHEMAS } from '../../src/outbox/dto/domain-event-schemas';
import { documentedTypes } from '../support/documented-types';

describe('The types of acts', () => {
  it('are documented, each with the fields of its payload, and nothing else is', () => {
    const known = DOMAIN_EVENT_TYPES.map((type) => [type, Object.keys(ACT_SCHEMAS[type]).toSorted()]);
    expect(documentedTypes('docs/webhooks.md')).toEqual(Object.fromEntries(known));
  });

  it('are those that have a schema', () => {
    expect(Object.keys(ACT_SCHEMAS)).toEqual([...DOMAIN_EVENT_TYPES]);
  });

  it('fit into their column', () => {
    expect(DOMAIN_EVENT_TYPES.filter((type) => type.length > 50)).toEqual([]);
  });

  /** What would be wrong here is found by `npm run types`. */
  it('compile with their own payloads alone', () => {
    const record = (acts: DomainEvents, em: Parameters<DomainEvents['record']>[0]): void => {
      // @ts-expect-error no such type
      acts.record(em, 'call.forgotten', 'call:1', () => ({}));
      // @ts-expect-error another type's payload
      acts.record(em, 'user.created', 'user:1', () => ({ device: {} }));
    };
    expect(record).toHaveLength(2);
  });
});
