import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, type QueryRunner } from 'typeorm';
import { onMysql } from './database';
import type { TestApp } from './test-app';

/** Returns the statements that the service runs for `work`, except those that begin and end transactions. */
export async function statementsOf({ app }: TestApp, work: () => Promise<unknown>): Promise<string[]> {
  const dataSource = app.get(DataSource);
  const asked: string[] = [];
  // Excludes statements of background jobs.
  const within = new AsyncLocalStorage<true>();
  const note = (sql: string): void => {
    if (within.getStore() && !/^(BEGIN|START TRANSACTION|COMMIT|ROLLBACK)/.test(sql))
      asked.push(sql.replaceAll(/\s+/g, ' '));
  };
  const { driver } = dataSource;
  const createRunner = driver.createQueryRunner.bind(driver);
  const runners = jest.spyOn(driver, 'createQueryRunner').mockImplementation((mode) => {
    const runner: QueryRunner = createRunner(mode);
    const query = runner.query.bind(runner);
    jest.spyOn(runner, 'query').mockImplementation((sql: string, ...rest: unknown[]) => {
      note(sql);
      return query(sql, ...(rest as []));
    });
    return runner;
  });
  const query = dataSource.query.bind(dataSource);
  // Statements outside a transaction do not use a query runner here.
  const direct = jest.spyOn(dataSource, 'query').mockImplementation((sql, parameters, runner) => {
    if (onMysql() && runner === undefined) note(sql);
    return query(sql, parameters, runner);
  });
  try {
    await within.run(true, work);
    return asked;
  } finally {
    direct.mockRestore();
    runners.mockRestore();
  }
}
