/** Holds up the first who comes by until it is opened; a test waits until somebody has come. */
export class Gate {
  readonly #reached = Promise.withResolvers<void>();
  readonly #opened = Promise.withResolvers<void>();
  #isFirst = true;

  /** Resolves when somebody is held up. */
  readonly reached = this.#reached.promise;

  open = (): void => this.#opened.resolve();

  async pass(): Promise<void> {
    if (!this.#isFirst) return;
    this.#isFirst = false;
    this.#reached.resolve();
    await this.#opened.promise;
  }
}
