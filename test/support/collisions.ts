import type { INestApplication } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { Transactions } from '../../src/database/transactions';

/**
 * Lets each transaction of an application end in a deadlock the first time: the database undoes it when all but the COMMIT is
 * done, and it is run again. Answers how many did.
 */
export function collideOnce(app: INestApplication): () => number {
  const transactions = app.get(Transactions);
  const run = transactions.run.bind(transactions);
  let collisions = 0;
  jest.spyOn(transactions, 'run').mockImplementation((work, options) => {
    let isFirst = true;
    return run(async (em) => {
      const result = await work(em);
      // Behind what the work has left for its end.
      transactions.onCommit(em, {
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
