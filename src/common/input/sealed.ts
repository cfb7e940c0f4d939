/**
 * An object or array that was sent for a field, out of class-transformer's sight: it would copy it, to any depth and
 * without the keys named `constructor`, only for the copy to be thrown away. In here it finds no keys.
 */
export class Sealed {
  readonly #value: unknown;

  /** Without an argument for class-transformer, which makes a copy of the seal. */
  constructor(value?: unknown) {
    this.#value = value;
  }

  /** Whatever class-transformer could not walk into stays as it is. */
  static seal(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? new Sealed(value) : value;
  }

  static open(value: unknown): unknown {
    return value instanceof Sealed ? value.#value : value;
  }
}
