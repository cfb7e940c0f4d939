import { Callboard, type CallboardOptions } from '../../src/index.js';

/** Creates a client of user 7 over a network. */
export function clientOf(network: { fetch: typeof fetch }, options: CallboardOptions = {}): Callboard {
  const client = new Callboard({
    baseUrl: 'http://service.test',
    fetch: network.fetch,
    token: () => 'token',
    ...options,
  });
  jest.spyOn(client, 'userId').mockResolvedValue(7);
  return client;
}

/** Awaits a promise while the fake clock advances, so that waits between attempts take no time. */
export async function soon<T>(promise: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const end = (): void => void (state.isOver = true);
  promise.then(end, end);
  while (!state.isOver) await jest.advanceTimersByTimeAsync(1_000);
  return promise;
}
