import type { TokenSource } from '../http/transport.js';

/** Returns a JWT of an identity provider. `refused`: a token that the service rejected; return a different one. */
export type TokenProvider = (refused?: string) => Promise<string> | string;

/** Token source that takes the tokens of an identity provider from the application. */
export class ExternalTokenSource implements TokenSource {
  readonly #provide: TokenProvider;

  constructor(provide: TokenProvider) {
    this.#provide = provide;
  }

  async token(): Promise<string> {
    return this.#provide();
  }

  async refused(token: string): Promise<boolean> {
    return (await this.#provide(token)) !== token;
  }
}
