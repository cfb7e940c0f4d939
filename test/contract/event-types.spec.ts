import { EVENT_SCHEMAS, EVENT_TYPES } from '../../src/events/dto/event-schemas';
import { type NewEvent, type NewTopicEvent, toSharedEvent } from '../../src/events/log/event';
import { documentedTypes } from '../support/documented-types';

describe('The types of user events', () => {
  it('are documented with their payload fields, without extra entries', () => {
    const known = EVENT_TYPES.map((type) => [type, Object.keys(EVENT_SCHEMAS[type]).toSorted()]);
    expect(documentedTypes('docs/events.md')).toEqual(Object.fromEntries(known));
  });

  it('fit into their column', () => {
    expect(EVENT_TYPES.filter((type) => type.length > 50)).toEqual([]);
  });

  it('reserve `type` and `created_at` for the event itself', () => {
    const taking = EVENT_TYPES.filter(
      (type) => 'type' in EVENT_SCHEMAS[type] || 'created_at' in EVENT_SCHEMAS[type],
    );
    expect(taking).toEqual([]);
  });

  /** `npm run lint` reports the errors. */
  it('compile only with their own payload', () => {
    const payload = { conversation_id: 1 };
    const left: NewEvent = { userId: 1, type: 'conversation.left', payload };
    // @ts-expect-error no such type
    const misspelt: NewEvent = { userId: 1, type: 'conversation.gone', payload };
    // @ts-expect-error another type's payload
    const mistaken: NewEvent = { userId: 1, type: 'message.created', payload };
    // @ts-expect-error an event that no topic has
    const ofTopic: NewTopicEvent = { type: 'conversation.left', payload };
    expect([left, misspelt, mistaken, ofTopic]).toHaveLength(4);
  });

  it('compile with a shared part and exactly the missing fields', () => {
    const type = 'user.updated';
    const created_at = new Date(0);
    const names = { id: 7, account: 'ann', name: 'Ann', avatar: null };
    const shared = { user: { ...names, created_at, discoverable: true, presence_visible: true } };
    const event: NewEvent = toSharedEvent({ userId: 7, type, shared, own: { user: { role: 'user' } } });
    // @ts-expect-error a field that the payload does not have
    toSharedEvent({ userId: 7, type, shared, own: { user: { role: 'user', extra: 1 } } });
    // @ts-expect-error a field that is in neither part
    toSharedEvent({ userId: 7, type, shared, own: { user: {} } });
    // @ts-expect-error the payload of another type
    const mistaken: NewEvent<'notification.read'> = event;
    expect(mistaken).toBe(event);
  });
});
