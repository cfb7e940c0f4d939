import { type BodySource, EventSources, type LateSource, type TopicSource } from './event-sources';

describe('The sources of events', () => {
  const late: LateSource = { catchUp: () => Promise.resolve(), catchUpAll: () => Promise.resolve() };
  const topics: TopicSource = {
    follows: () => Promise.resolve([]),
    viewFor: () => Promise.resolve(() => undefined),
  };

  const bodies: BodySource = { type: 'call.signal', fill: () => Promise.resolve() };

  it('are none before a module has registered', () => {
    const sources = new EventSources();
    expect([sources.late, sources.topics, sources.bodies]).toEqual([undefined, undefined, undefined]);
  });

  it('are those that have registered', () => {
    const sources = new EventSources();
    sources.registerLate(late);
    sources.registerTopics(topics);
    sources.registerBodies(bodies);
    expect(sources.bodies).toBe(bodies);
    expect(sources.late).toBe(late);
    expect(sources.topics).toBe(topics);
  });

  it('register once: a second one would silence the first', () => {
    const sources = new EventSources();
    sources.registerLate(late);
    sources.registerTopics(topics);
    sources.registerBodies(bodies);
    expect(() => sources.registerBodies(bodies)).toThrow('A payload resolver is already registered');
    expect(() => sources.registerLate(late)).toThrow('A deferred event source is already registered');
    expect(() => sources.registerTopics(topics)).toThrow('A topic source is already registered');
  });
});
