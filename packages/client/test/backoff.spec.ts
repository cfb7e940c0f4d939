import { CallboardError } from '../src/errors.js';
import { Backoff } from '../src/events/backoff.js';

describe('Backoff', () => {
  const page = new EventTarget();

  beforeEach(() => {
    jest.useFakeTimers();
    // Node has no global event target.
    globalThis.addEventListener = page.addEventListener.bind(page) as typeof addEventListener;
    globalThis.removeEventListener = page.removeEventListener.bind(page) as typeof removeEventListener;
  });

  afterEach(() => {
    jest.useRealTimers();
    Reflect.deleteProperty(globalThis, 'addEventListener');
    Reflect.deleteProperty(globalThis, 'removeEventListener');
  });

  const start = (failure: CallboardError): jest.Mock => {
    const ended = jest.fn();
    void new Backoff().wait(undefined, failure).then(ended);
    page.dispatchEvent(new Event('online'));
    return ended;
  };

  it('stops waiting when the network comes back', async () => {
    const ended = start(new CallboardError('network'));
    await jest.advanceTimersByTimeAsync(0);
    expect(ended).toHaveBeenCalled();
  });

  it('waits for Retry-After, even if the network comes back', async () => {
    const ended = start(new CallboardError(503, undefined, { retryAfter: 20 }));
    await jest.advanceTimersByTimeAsync(19_999);
    expect(ended).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalled();
  });
});
