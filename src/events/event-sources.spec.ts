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

  const bodies: PayloadResolver = { type: 'call.signal', resolve: () => Promise.resolve() };

  it('has no sources before registration', () => {
    const sources = new EventSources();
    expect([sources.deferred, sources.topics, sources.payloadResolver]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('returns the registered sources', () => {
    const sources = new EventSources();
    sources.registerDeferred(late);
    sources.registerTopics(topics);
    sources.registerPayloadResolver(bodies);
    expect(sources.payloadResolver).toBe(bodies);
    expect(sources.deferred).toBe(late);
    expect(sources.topics).toBe(topics);
  });

  it('rejects a second registration', () => {
    const sources = new EventSources();
    sources.registerDeferred(late);
    sources.registerTopics(topics);
    sources.registerPayloadResolver(bodies);
    expect(() => sources.registerPayloadResolver(bodies)).toThrow('A payload resolver is already registered');
    expect(() => sources.registerDeferred(late)).toThrow('A deferred event source is already registered');
    expect(() => sources.registerTopics(topics)).toThrow('A topic source is already registered');
  });
});
