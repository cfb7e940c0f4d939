import {
  type PayloadResolver,
  EventSources,
  type DeferredEventSource,
  type TopicSource,
} from './event-sources';

describe('EventSources', () => {
  const late: DeferredEventSource = { catchUp: () => Promise.resolve(), catchUpAll: () => Promise.resolve() };
  const topics: TopicSource = {
    subscriptionsOf: () => Promise.resolve([]),
    viewFor: () => Promise.resolve(() => undefined),
  };

  const bodies: PayloadResolver = {
    types: new Set(['call.signal', 'call.ringing']),
    resolve: () => Promise.resolve(),
  };
  const others: PayloadResolver = { types: new Set(['call.ended']), resolve: () => Promise.resolve() };

  it('has no sources before registration', () => {
    const sources = new EventSources();
    expect([sources.deferred, sources.topics, sources.payloadResolvers]).toEqual([undefined, undefined, []]);
  });

  it('returns the registered sources', () => {
    const sources = new EventSources();
    sources.registerDeferred(late);
    sources.registerTopics(topics);
    sources.registerPayloadResolver(bodies);
    sources.registerPayloadResolver(others);
    expect(sources.payloadResolvers).toEqual([bodies, others]);
    expect(sources.deferred).toBe(late);
    expect(sources.topics).toBe(topics);
  });

  it('rejects a second registration', () => {
    const sources = new EventSources();
    sources.registerDeferred(late);
    sources.registerTopics(topics);
    sources.registerPayloadResolver(bodies);
    const signals = { ...bodies, types: new Set(['call.signal']) };
    expect(() => sources.registerPayloadResolver(signals)).toThrow(
      'A payload resolver of this event type is already registered',
    );
    expect(() => sources.registerDeferred(late)).toThrow('A deferred event source is already registered');
    expect(() => sources.registerTopics(topics)).toThrow('A topic source is already registered');
  });
});
