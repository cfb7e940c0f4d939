/** Timers by name. Setting a timer again restarts it. `clear()` without names clears all. */
export class Timers {
  readonly #running = new Map<string, ReturnType<typeof setTimeout>>();

  set(name: string, ms: number, callback: () => void): void {
    this.clear(name);
    const run = (): void => {
      this.#running.delete(name);
      callback();
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
