/** Maximum delay of a timer in whole seconds. */
export const MAX_SECONDS = 2_147_483;
/** Minimum length of most secrets in production. */
export const SECRET_BYTES = 32;

/** All problems of the environment variables in one message. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(
      `The configuration has ${problems.length} problem(s):\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/** Reads typed values from environment variables. Collects all problems instead of stopping at the first. */
export class EnvReader {
  readonly #problems: string[] = [];

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** Returns the trimmed text of a variable; an empty variable counts as not set. */
  text(name: string): string | undefined {
    return this.env[name]?.trim() || undefined;
  }

  /**
   * Returns the trimmed text of a variable. The fallback applies only if the variable is not set; an empty one is a
   * problem.
   */
  filledText(name: string, fallback: string): string {
    if (this.env[name] === undefined) return fallback;
    const text = this.text(name);
    if (text === undefined) this.problem(`${name} must not be empty`);
    return text ?? fallback;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.problem(`${name} must be a whole number from ${min} to ${max}, but is "${text}"`);
    return fallback;
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = allowed.find((candidate) => candidate === text);
    if (value === undefined) this.problem(`${name} must be one of ${allowed.join(', ')}, but is "${text}"`);
    return value ?? fallback;
  }

  /** Reads a comma-separated subset of the allowed values; `none`: the empty set. */
  several<const T extends string>(name: string, allowed: readonly T[], fallback: readonly T[]): readonly T[] {
    const text = this.text(name);
    if (text === undefined) return fallback;
    if (text === 'none') return [];
    const isAllowed = (item: string): boolean => allowed.some((candidate) => candidate === item);
    const wanted = this.validList(name, isAllowed, `none or a list of ${allowed.join(', ')}`);
    return allowed.filter((candidate) => wanted.includes(candidate));
  }

  /** Reads a URL whose scheme is one of `schemes` (without the colon). */
  url(name: string, schemes: string[]): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : '';
    if (!schemes.includes(scheme)) this.problem(`${name} must be a URL of ${schemes.join(', ')}`);
    return text;
  }

  /** Reads a comma-separated list whose items must all be valid. `expected` describes valid items in the problem. */
  validList(name: string, isValid: (item: string) => boolean, expected: string): string[] {
    const items = this.list(name);
    const invalid = items.filter((item) => !isValid(item));
    if (invalid.length > 0) this.problem(`${name} must be ${expected}, but has ${invalid.join(', ')}`);
    return items;
  }

  /** Reads a secret, which must have at least `minBytes` bytes in production. */
  secret(name: string, isProduction: boolean, minBytes = SECRET_BYTES): string | undefined {
    const secret = this.text(name);
    if (secret !== undefined && isProduction && Buffer.byteLength(secret) < minBytes)
      this.problem(`${name} must have at least ${minBytes} bytes in production`);
    return secret;
  }

  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  problem(message: string): void {
    this.#problems.push(message);
  }

  /** @throws {ConfigError} if there are problems. */
  finish(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
  }
}
