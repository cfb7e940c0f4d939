import { type EntityManager, QueryFailedError, type QueryRunner } from 'typeorm';
import { isDatabaseOutage, isSerializationFailure } from './errors';

/** Key in the data of a transaction's query runner. */
const STATEMENTS = 'statements';
const SAVEPOINT = 'SAVEPOINT attempt';
const ROLLBACK_TO_SAVEPOINT = 'ROLLBACK TO SAVEPOINT attempt';

/**
 * Statements of one transaction of `Transactions.run`, which may be sent without waiting for each other. The server
 * executes them all, even after one has failed: after a deadlock, which rolls back, even in a new transaction. Therefore:
 *
 * - After a failed statement, no statement follows but ROLLBACK, or the rollback to the savepoint of `attempt`.
 * - COMMIT follows when all results have arrived, so it is never sent together with other statements.
 * - After the end of the transaction, no statement follows: it would take effect on its own.
 */
export class TransactionStatements {
  #running = 0;
  #isEnded = false;
  /** The first error. Later ones may be its consequences: their rows are missing. */
  #failure?: Error;
  readonly #pipelined: Promise<unknown>[] = [];
  #pipelinedFailure?: { error: unknown };

  /** Runs a statement by `send`, which sends it synchronously. */
  async run<T>(sql: string, send: () => Promise<T>): Promise<T> {
    this.#assertAllowed(sql);
    this.#running += 1;
    try {
      return await send();
    } catch (error) {
      this.#failure ??= error as Error;
      throw error;
    } finally {
      this.#running -= 1;
    }
  }

  /** Leaves a write running until `settle`. */
  pipeline(write: Promise<unknown>): void {
    this.#pipelined.push(write);
    // Handled here: `settle` may come later than the failure, or, after another one, not at all.
    write.catch((error: unknown) => (this.#pipelinedFailure ??= { error }));
  }

  /** Waits for the writes passed to `pipeline`, also for those that are added meanwhile. Throws if one has failed. */
  async settle(): Promise<void> {
    while (this.#pipelined.length > 0) await Promise.all(this.#pipelined.splice(0));
  }

  /** Allows further statements after a rollback to a savepoint, whose result follows those of all earlier statements. */
  forgive(): void {
    this.#failure = undefined;
    this.#pipelinedFailure = undefined;
  }

  /** Rejects further statements, except COMMIT and ROLLBACK. */
  end(): void {
    this.#isEnded = true;
  }

  /** Returns the error to report for a transaction that ended with `error`: the one that caused it, if known. */
  causeOf(error: unknown): unknown {
    if (this.#pipelinedFailure !== undefined) return this.#failure ?? this.#pipelinedFailure.error;
    const isConsequence = error instanceof QueryFailedError || isSerializationFailure(this.#failure);
    return isConsequence ? (this.#failure ?? error) : error;
  }

  #assertAllowed(sql: string): void {
    if (sql === 'ROLLBACK' || (sql === ROLLBACK_TO_SAVEPOINT && !this.#isEnded)) return;
    if (this.#failure !== undefined) throw this.#failure;
    if (sql === 'COMMIT') {
      if (this.#running > 0)
        throw new Error('COMMIT before all results: await every statement, or pass it to pipeline()');
    } else if (this.#isEnded) throw new Error('Statement after the end of its transaction');
  }
}

/** Starts to keep track of the statements of a new transaction. */
export function trackStatements(em: EntityManager): TransactionStatements {
  const statements = new TransactionStatements();
  if (em.queryRunner) em.queryRunner.data[STATEMENTS] = statements;
  return statements;
}

/** Runs a statement on a query runner by `send`, as a statement of its transaction if that is one of `Transactions.run`. */
export function runStatement<T>({ data }: QueryRunner, sql: string, send: () => Promise<T>): Promise<T> {
  const statements = data[STATEMENTS] as TransactionStatements | undefined;
  return statements === undefined ? send() : statements.run(sql, send);
}

/**
 * Leaves a write running whose result nothing depends on: the transaction awaits it before its COMMIT, and fails if it
 * fails.
 * @param write a write that has sent all of its statements, so that the transaction takes its locks in order: hooks do
 * not wait for it
 * @throws {Error} if `em` does not belong to a transaction of `Transactions.run`
 */
export function pipeline(em: EntityManager, write: Promise<unknown>): void {
  statementsOf(em).pipeline(write);
}

/**
 * Runs a part of a transaction. If it fails, undoes its writes and returns the error: the transaction can continue.
 * @throws {Error} one after which the transaction cannot continue, such as a deadlock or a lost connection
 */
export async function attempt(em: EntityManager, work: () => Promise<void>): Promise<unknown> {
  const statements = statementsOf(em);
  await em.query(SAVEPOINT);
  try {
    await work();
    await statements.settle();
    return undefined;
  } catch (error) {
    if (isSerializationFailure(error) || isDatabaseOutage(error)) throw error;
    await em.query(ROLLBACK_TO_SAVEPOINT);
    statements.forgive();
    return error;
  }
}

function statementsOf(em: EntityManager): TransactionStatements {
  const statements = em.queryRunner?.data[STATEMENTS] as TransactionStatements | undefined;
  if (statements === undefined) throw new Error('Not inside a transaction of Transactions.run');
  return statements;
}
