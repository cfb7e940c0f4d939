import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, type QueryRunner } from 'typeorm';
import { onMysql } from './database';
import type { TestApp } from './test-app';

/** The statements that the service asks its database for the sake of `work`, but for the beginnings and ends of transactions. */
export async function statementsOf({ app }: TestApp, work: () => Promise<unknown>): Promise<string[]> {
  const dataSource = app.get(DataSource);
  const asked: string[] = [];
  // What is done now and then by itself is not counted.
  const within = new AsyncLocalStorage<true>();
  const note = (sql: string): void => {
    if (within.getStore() && !/^(BEGIN|COMMIT|ROLLBACK)/.test(sql)) asked.push(sql.replaceAll(/\s+/g, ' '));
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
  // There, what is asked outside a transaction needs no runner.
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
