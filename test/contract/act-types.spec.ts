import { ACT_TYPES } from '../../src/outbox/act-types';
import type { Acts } from '../../src/outbox/acts';
import { ACT_SCHEMAS } from '../../src/outbox/dto/act-schemas';
import { documentedTypes } from '../support/documented-types';

describe('The types of acts', () => {
  it('are documented, each with the fields of its payload, and nothing else is', () => {
    const known = ACT_TYPES.map((type) => [type, Object.keys(ACT_SCHEMAS[type]).toSorted()]);
    expect(documentedTypes('docs/webhooks.md')).toEqual(Object.fromEntries(known));
  });

  it('are those that have a schema', () => {
    expect(Object.keys(ACT_SCHEMAS)).toEqual([...ACT_TYPES]);
  });

  it('fit into their column', () => {
    expect(ACT_TYPES.filter((type) => type.length > 50)).toEqual([]);
  });

  /** What would be wrong here is found by `npm run types`. */
  it('compile with their own payloads alone', () => {
    const record = (acts: Acts, em: Parameters<Acts['record']>[0]): void => {
      // @ts-expect-error no such type
      acts.record(em, 'call.forgotten', 'call:1', () => ({}));
      // @ts-expect-error another type's payload
      acts.record(em, 'user.created', 'user:1', () => ({ device: {} }));
    };
    expect(record).toHaveLength(2);
  });
});
