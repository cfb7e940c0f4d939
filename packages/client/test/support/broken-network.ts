/** What becomes of a request: as it should be, or one of what networks, proxies and busy services do to it. */
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
 * A `fetch` over a connection that breaks: requests that never arrive, answers that are lost, other answers in their place;
 * and streams that end in the middle of a frame.
 */
export class BrokenNetwork {
  /** What becomes of the next requests; afterwards all is well. */
  fates: Fate[] = [];
  readonly #streams = new Set<() => void>();

  /** Breaks all streams that are open. */
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
    // Streams have a test of their own, and no token is refused where none was sent.
    const isWithToken = new Headers(init.headers).has('Authorization') && url.pathname !== '/api/events';
    if (fate === 'refused token' && isWithToken) return jsonOf(401, 401, '未授权');
    const response = await fetch(url, init);
    // A refresh whose answer is lost has used its token up: whoever that befalls signs in again (docs/identity.md).
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
