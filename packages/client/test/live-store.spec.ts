import { CallboardError } from '../src/errors.js';
import type { Events } from '../src/events/events.js';
import { LiveStore, type Snapshot } from '../src/live/live-store.js';

/** An event stream that is live and sends no events. */
const QUIET = { state: 'live', subscribe: () => () => undefined } as unknown as Events;

class Answers extends LiveStore<string> {
  constructor(private readonly answers: (string | CallboardError)[]) {
    super(QUIET);
  }

  protected async fetch(): Promise<Snapshot<string>> {
    const answer = this.answers.shift();
    if (answer instanceof CallboardError) throw answer;
    return { data: answer ?? 'none', cursor: 0 };
  }

  protected apply(value: string): string {
    return value;
  }
}

describe('LiveStore', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Lets promises settle without advancing the clock. */
  const settle = () => jest.advanceTimersByTimeAsync(0);

  it('retries immediately after a failure when the reload is urgent', async () => {
    const store = new Answers([new CallboardError('not_callboard', undefined, { status: 500 }), 'there']);
    const errors: unknown[] = [];
    store.subscribe(() => errors.push(store.error?.code));
    void store.reload();
    await settle();
    void store.reload();
    await settle();
    expect([store.getSnapshot(), errors]).toEqual([undefined, ['not_callboard']]);
    void store.reload({ isUrgent: true });
    await settle();
    expect([store.getSnapshot(), errors]).toEqual(['there', ['not_callboard', undefined, undefined]]);
    store.close();
  });

  it('reloads on request after a permanent error', async () => {
    const store = new Answers([new CallboardError(500, 'internal'), 'there']);
    await store.reload();
    expect(store.error?.code).toBe(500);
    await store.reload({ isUrgent: true });
    expect([store.getSnapshot(), store.error]).toEqual(['there', undefined]);
    store.close();
  });

  it.each([1, 2, 3])(
    'fetches again when a reload is requested in microtask %i after a snapshot',
    async (count) => {
      const store = new Answers(['old', 'new']);
      const unsubscribe = store.subscribe(() => {
        unsubscribe();
        // Promises, because the fake clock replaces `queueMicrotask`.
        let steps = Promise.resolve();
        for (let step = 1; step < count; step += 1) steps = steps.then(() => undefined);
        void steps.then(() => store.reload());
      });
      void store.reload();
      await settle();
      expect(store.getSnapshot()).toBe('new');
      store.close();
    },
  );

  it('fetches again when a reload is requested during an attempt that fails permanently', async () => {
    const store = new Answers([new CallboardError(500, 'internal'), 'there']);
    void store.reload();
    await Promise.resolve();
    await store.reload();
    expect([store.getSnapshot(), store.error]).toEqual(['there', undefined]);
    store.close();
  });

  it('fetches nothing more when it is closed during the wait for a retry', async () => {
    const store = new Answers([new CallboardError('network'), 'there']);
    const loading = store.reload();
    await settle();
    store.close();
    await loading;
    await jest.runAllTimersAsync();
    expect(store.getSnapshot()).toBeUndefined();
  });
});
