/** An error response of the service, with its code and message. */
export class ApiError extends Error {
  constructor(code, message) {
    super(`${code} ${message}`);
    this.code = code;
  }
}

/** Sends the requests of one terminal. Independent of pages and frameworks. */
export class Api {
  /** @param token a function that returns the current bearer token */
  constructor({ url, token, terminalId }) {
    this.url = url;
    this.token = token;
    this.terminalId = terminalId;
  }

  get(path) {
    return this.#send(path, { method: 'GET' });
  }

  /**
   * Returns the `data` of the response.
   * @throws {ApiError} for an error response
   * @throws {TypeError} if the service is unreachable
   */
  async post(path, body = {}, signal) {
    const { data } = await this.#send(path, {
      method: 'POST',
      signal,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ terminal_id: this.terminalId, ...body }),
    });
    return data;
  }

  async #send(path, options) {
    const response = await fetch(`${this.url}/api${path}`, {
      ...options,
      cache: 'no-store',
      headers: { ...options.headers, Authorization: `Bearer ${this.token()}` },
    });
    const { code, message, data } = await response.json();
    if (code !== 0) throw new ApiError(code, message);
    return { data, cursor: response.headers.get('X-Event-Cursor') };
  }
}
