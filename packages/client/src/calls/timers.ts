/** Timers by name: one that is set again is put off, and all end together. */
export class Timers {
  readonly #running = new Map<string, ReturnType<typeof setTimeout>>();

  set(name: string, ms: number, act: () => void): void {
    this.clear(name);
    const run = (): void => {
      this.#running.delete(name);
      act();
    };
    this.#running.set(name, setTimeout(run, ms));
  }

  has = (name: string): boolean => this.#running.has(name);

  clear(...names: string[]): void {
    for (const name of names.length > 0 ? names : [...this.#running.keys()]) {
      clearTimeout(this.#running.get(name));
      this.#running.delete(name);
    }
  }
}
