/** A recorded request. */
export interface Request {
  name: string;
  headers: Headers;
  body: unknown;
}

type Answer = (request: Request, signal: AbortSignal | undefined) => Response | Promise<Response>;

export const success = (data: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ code: 0, message: '操作成功', data }), {
    headers: { 'X-Request-Id': 'request-1', ...headers },
  });

/** Creates an error response. `status` 200: as with `HTTP_STATUS_MODE=always_200`. */
export const failure = (
  code: number,
  message: string,
  { status = code, ...headers }: { status?: number; [header: string]: unknown } = {},
): Response =>
  new Response(JSON.stringify({ code, message, data: null }), {
    status,
    headers: { 'X-Request-Id': 'request-1', ...(headers as Record<string, string>) },
  });

export const page = (status: number): Response =>
  new Response('<html><h1>Something else</h1></html>', { status, headers: { 'Content-Type': 'text/html' } });

function bodyOf({ headers, body }: RequestInit): unknown {
  const isJson = new Headers(headers).get('Content-Type') === 'application/json';
  return isJson && typeof body === 'string' ? (JSON.parse(body) as unknown) : (body ?? undefined);
}

let tokens = 0;

/** Creates a response of log-in or refresh. Each response has different tokens. */
export const signedIn = (more: object = {}): Response => {
  tokens += 1;
  const user = { id: 7, name: 'Amy', avatar: null, role: 'user' };
  const tokenFields = {
    access_token: `access-${tokens}`,
    refresh_token: `refresh-${tokens}`,
    expires_in: 900,
  };
  return success({ ...tokenFields, user, terminal_id: 's:1', token_type: 'Bearer', ...more });
};

/** A `fetch` that returns the given responses in order, and repeats the last one. Records the requests. */
export class ScriptedFetch {
  readonly requests: Request[] = [];
  readonly #answers: Answer[];

  constructor(...answers: (Answer | 'no connection')[]) {
    this.#answers = answers.map((answer) =>
      answer === 'no connection' ? () => Promise.reject(new TypeError('fetch failed')) : answer,
    );
  }

  get names(): string[] {
    return this.requests.map(({ name }) => name);
  }

  /** Returns a header of each request. */
  headers = (name: string): (string | null)[] => this.requests.map(({ headers }) => headers.get(name));

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const url = new URL(input instanceof globalThis.Request ? input.url : input, 'http://service.test');
    const request = {
      name: `${init.method ?? 'GET'} ${url.pathname}${url.search}`,
      headers: new Headers(init.headers),
      body: bodyOf(init),
    };
    this.requests.push(request);
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    if (answer === undefined) throw new Error('No response was given');
    return answer(request, init.signal ?? undefined);
  };
}
