/**
 * Hides an object or array from class-transformer, which would copy it at any depth, without the keys named
 * `constructor`, although the copy is not used. The wrapper has no enumerable keys.
 */
export class OpaqueValue {
  readonly #value: unknown;

  /** class-transformer calls the constructor without an argument to copy the wrapper. */
  constructor(value?: unknown) {
    this.#value = value;
  }

  /** Wraps objects and arrays. Returns other values, which class-transformer does not traverse, unchanged. */
  static wrap(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? new OpaqueValue(value) : value;
  }

  static unwrap(value: unknown): unknown {
    return value instanceof OpaqueValue ? value.#value : value;
  }
}
