import type { TokenSource } from '../http/transport.js';

/**
 * Answers a JWT of an identity provider. `refused`: one that the service does not take any more; another is wanted then.
 */
export type TokenProvider = (refused?: string) => Promise<string> | string;

/** Tokens that an identity provider has made. */
export class ForeignTokens implements TokenSource {
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
