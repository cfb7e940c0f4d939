import { describeMediaToken } from './decode-media-token';

const MAX_TEXT = 60;

/** A user of the demo: sends requests with the user's token and prints each exchange. */
export class DemoClient {
  constructor(
    readonly name: string,
    private readonly url: string,
    private readonly token: string,
    private readonly print: (text: string) => void,
  ) {}

  get = <T = Record<string, unknown>>(path: string): Promise<T> => this.send<T>('GET', path);
  post = <T = Record<string, unknown>>(path: string, body?: object): Promise<T> =>
    this.send<T>('POST', path, body);
  put = <T = Record<string, unknown>>(path: string, body?: object): Promise<T> =>
    this.send<T>('PUT', path, body);
  delete = <T = Record<string, unknown>>(path: string, body?: object): Promise<T> =>
    this.send<T>('DELETE', path, body);

  /** Sends a request, prints request and response, and returns `data`. */
  async send<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, envelope } = await this.#exchange(method, path, body);
    this.print(`\n  ${this.name} → ${method} ${path}${body ? `  ${JSON.stringify(body)}` : ''}`);
    this.print(`  ${' '.repeat(this.name.length)} ← ${status}  code ${envelope.code}  ${envelope.message}`);
    if (envelope.data !== null) this.print(indent(JSON.stringify(envelope.data, shorten, 2)));
    const { rtc_token: mediaToken } = (envelope.data ?? {}) as { rtc_token?: string | null };
    if (mediaToken)
      this.print(indent(`content of the media token: ${JSON.stringify(describeMediaToken(mediaToken))}`));
    return envelope.data as T;
  }

  /** Sends a request without printing it: for polling, and for scenes that print their own text. */
  async peek<T>(path: string, method = 'GET', body?: object): Promise<T> {
    return (await this.#exchange(method, path, body)).envelope.data as T;
  }

  async #exchange(method: string, path: string, body?: object) {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const envelope = (await response.json()) as { code: number; message: string; data: unknown };
    return { status: response.status, envelope };
  }
}

const shorten = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;

const indent = (text: string): string => text.replaceAll(/^/gm, '      ');
