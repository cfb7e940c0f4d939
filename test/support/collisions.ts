import type { INestApplication } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { onCommit } from '../../src/database/transaction-hooks';

/**
 * Makes each transaction of an application fail with a deadlock the first time, just before the COMMIT, so that it is
 * rolled back and repeated. Returns a function that returns the number of failed transactions.
 */
export function collideOnce(app: INestApplication): () => number {
  const transactions = app.get(Transactions);
  const run = transactions.run.bind(transactions);
  let collisions = 0;
  jest.spyOn(transactions, 'run').mockImplementation((work, options) => {
    let isFirst = true;
    return run(async (em) => {
      const result = await work(em);
      // Registered last, so that it runs after the hooks of the transaction's work.
      onCommit(em, {
        beforeCommit: async () => {
          if (!isFirst) return;
          isFirst = false;
          collisions += 1;
          throw deadlock();
        },
        afterCommit: () => undefined,
      });
      return result;
    }, options);
  });
  return () => collisions;
}

const deadlock = (): QueryFailedError =>
  new QueryFailedError('', [], Object.assign(new Error('As by another'), { code: 'ER_LOCK_DEADLOCK' }));
