const DIGITS = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit}${digit === 0 ? ' AS d' : ''}`);

/** Runs one statement on the loader's own connection. */
export type RunStatement = (sql: string) => Promise<unknown>;

/**
 * Fills tables with rows that the database generates, with one statement for any number of rows, in the SQL of both
 * engines. In the given expressions, `n` counts from 0.
 */
export class Loader {
  readonly #isSqlite: boolean;

  /** @param mostRows maximum value of `n` */
  constructor(
    readonly run: RunStatement,
    engine: string,
    private readonly mostRows: number,
  ) {
    this.#isSqlite = engine === 'better-sqlite3';
  }

  /** Creates the table of numbers that rows are generated from. */
  async prepare(): Promise<void> {
    const digits = `(${DIGITS.join(' UNION ALL ')})`;
    const places = Array.from({ length: String(this.mostRows - 1).length }, (_, power) => ({
      name: `p${power}`,
      power,
    }));
    const value = places.map(({ name, power }) => `${name}.d * ${10 ** power}`).join(' + ');
    const from = places.map(({ name }) => `${digits} ${name}`).join(' CROSS JOIN ');
    await this.run('CREATE TEMPORARY TABLE numbers (n INTEGER PRIMARY KEY)');
    await this.run(`INSERT INTO numbers SELECT ${value} AS n FROM ${from} ORDER BY n`);
  }

  /** Inserts `count` rows of the expressions. */
  async insert(table: string, columns: string, expressions: string[], count: number): Promise<void> {
    if (count > this.mostRows)
      throw new Error(`${count} rows exceed the loader's maximum of ${this.mostRows}`);
    await this.run(
      `INSERT INTO ${table} (${columns}) SELECT ${expressions.join(', ')} FROM numbers WHERE n < ${count} ORDER BY n`,
    );
  }

  /** SQL expression that concatenates expressions into a text. */
  text(...parts: (string | number)[]): string {
    return this.#isSqlite ? parts.map((part) => `(${part})`).join(' || ') : `CONCAT(${parts.join(', ')})`;
  }

  /** SQL expression of an integer quotient; the operands must not be negative. */
  quotient(a: string, b: number): string {
    return this.#isSqlite ? `((${a}) / ${b})` : `((${a}) DIV ${b})`;
  }

  /** SQL expression of the greater of two numbers. */
  greatest(a: string, b: string): string {
    return `${this.#isSqlite ? 'MAX' : 'GREATEST'}(${a}, ${b})`;
  }

  /** SQL expression of the timestamp `seconds` after the start of `day` (`2026-01-01`), in UTC. */
  moment(day: string, seconds: string): string {
    return this.#isSqlite
      ? `strftime('%Y-%m-%d %H:%M:%f', '${day}', '+' || (${seconds}) || ' seconds')`
      : `TIMESTAMPADD(SECOND, ${seconds}, '${day} 00:00:00.000')`;
  }

  /** SQL expression that cycles through the texts. */
  cycle(texts: string[], n = 'n'): string {
    const cases = texts.map((text, index) => `WHEN ${index} THEN '${text}'`);
    return `CASE (${n}) % ${texts.length} ${cases.join(' ')} END`;
  }

  /** Updates the planner's statistics. */
  async analyze(tables: string[]): Promise<void> {
    await this.run(this.#isSqlite ? 'ANALYZE' : `ANALYZE TABLE ${tables.join(', ')}`);
  }
}
