import { declineCall } from '../../worker/decline-call';

describe('declineCall', () => {
  let timeout: AbortController;
  /** Responses of the service by path; a path without one hangs until the request is aborted. */
  let responses: Record<string, object>;
  const paths: string[] = [];
  const inits: RequestInit[] = [];
  let limit: jest.SpyInstance;

  const fetchMock = (path: string, init: RequestInit): Promise<Response> => {
    const { signal } = init;
    paths.push(path);
    inits.push(init);
    const response = responses[path];
    if (response !== undefined) return Promise.resolve(Response.json(response));
    const { promise, reject } = Promise.withResolvers<Response>();
    signal?.addEventListener('abort', () => reject(signal.reason));
    timeout.abort(new DOMException('The operation timed out', 'TimeoutError'));
    return promise;
  };

  beforeEach(() => {
    paths.length = 0;
    inits.length = 0;
    timeout = new AbortController();
    jest.spyOn(globalThis, 'fetch').mockImplementation(fetchMock as typeof fetch);
    limit = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    const request = (_: string, ...rest: unknown[]) => (rest.at(-1) as () => unknown)();
    Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  });
  afterEach(() => jest.restoreAllMocks());

  it('rejects the call with a new token', async () => {
    responses = {
      '/api/auth/refresh': { code: 0, data: { access_token: 'token' } },
      '/api/calls/7/reject': { code: 0, data: null },
    };
    await declineCall(7);
    expect(paths).toEqual(['/api/auth/refresh', '/api/calls/7/reject']);
  });

  it('fails when the service does not respond, while the click may still open a page', async () => {
    responses = { '/api/auth/refresh': { code: 0, data: { access_token: 'token' } } };
    await expect(declineCall(7)).rejects.toThrow('The operation timed out');
    expect(limit.mock.calls[0]?.[0]).toBeLessThan(10_000);
  });

  it('does not abort a slow refresh, whose response replaces the used cookie', async () => {
    responses = {};
    await expect(declineCall(7)).rejects.toThrow('The operation timed out');
    expect(paths).toEqual(['/api/auth/refresh']);
    expect(inits[0]?.keepalive).toBe(true);
    expect(inits[0]?.signal).toBeUndefined();
  });
});
