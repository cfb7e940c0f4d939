/** Blocks the first caller until the gate is opened. A test can wait until a caller is blocked. */
export class Gate {
  readonly #reached = Promise.withResolvers<void>();
  readonly #opened = Promise.withResolvers<void>();
  #isFirst = true;

  /** Resolves when a caller is blocked. */
  readonly reached = this.#reached.promise;

  open = (): void => this.#opened.resolve();

  async pass(): Promise<void> {
    if (!this.#isFirst) return;
    this.#isFirst = false;
    this.#reached.resolve();
    await this.#opened.promise;
  }
}
