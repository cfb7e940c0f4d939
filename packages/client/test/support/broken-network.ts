/** Outcome of a request: success, or a failure of the network, a proxy, or an overloaded service. */
export type Fate = 'well' | 'lost before' | 'lost after' | 'busy' | 'proxy page' | 'refused token';

const jsonOf = (
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response =>
  new Response(JSON.stringify({ code, message, data: null }), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });

const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/**
 * A `fetch` over a connection that breaks: requests that never arrive, responses that are lost or replaced, and streams that end
 * in the middle of a frame.
 */
export class BrokenNetwork {
  /** Outcomes of the next requests. Later requests succeed. */
  fates: Fate[] = [];
  readonly #streams = new Set<() => void>();

  /** Breaks all open streams. */
  breakStreams(): void {
    for (const end of this.#streams) end();
    this.#streams.clear();
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const fate = this.fates.shift() ?? 'well';
    if (fate === 'lost before') throw new TypeError('fetch failed');
    if (fate === 'busy') return jsonOf(503, 503, '服务暂不可用', { 'Retry-After': '0' });
    if (fate === 'proxy page')
      return new Response(PAGE, { status: 502, headers: { 'Content-Type': 'text/html' } });
    // Rejected tokens of streams are tested elsewhere, and a request without a token cannot have one rejected.
    const isWithToken = new Headers(init.headers).has('Authorization') && url.pathname !== '/api/events';
    if (fate === 'refused token' && isWithToken) return jsonOf(401, 401, '未授权');
    const response = await fetch(url, init);
    // Excluded: a refresh whose response is lost has used up its token, and the user must sign in again (docs/identity.md).
    if (fate === 'lost after' && url.pathname !== '/api/auth/refresh') {
      await response.body?.cancel();
      throw new TypeError('terminated');
    }
    return url.pathname === '/api/events' ? this.#breakable(response) : response;
  };

  #breakable(response: Response): Response {
    const breaking = new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => {
        this.#streams.add(() => controller.error(new TypeError('terminated')));
      },
    });
    response.body?.pipeTo(breaking.writable).catch(() => undefined);
    const { status, headers } = response;
    return new Response(breaking.readable, { status, headers });
  }
}
