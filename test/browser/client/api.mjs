/** What the service refused: its code and its message. */
export class ApiError extends Error {
  constructor(code, message) {
    super(`${code} ${message}`);
    this.code = code;
  }
}

/** Requests of one terminal of one user. Nothing here knows of pages or frameworks. */
export class Api {
  /** @param token a function that answers the bearer token of the moment */
  constructor({ url, token, terminalId }) {
    this.url = url;
    this.token = token;
    this.terminalId = terminalId;
  }

  get(path) {
    return this.#send(path, { method: 'GET' });
  }

  /** The answer's `data`. @throws {ApiError} what the service refused; {TypeError} when it could not be reached */
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
