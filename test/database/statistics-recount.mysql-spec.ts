import { EntityManager } from 'typeorm';
import { createCall } from '../support/calls';
import { callFigures, countCalls, repairStatistics } from '../support/statistics';
import { createTestApp, type TestApp } from '../support/test-app';

describe('A recount during the end of a call', () => {
  let test: TestApp;
  /** The instance that ends the call. */
  let other: TestApp;
  beforeEach(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database, clock: test.clock });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await other?.close();
    await test?.close();
  });

  it.each([
    ['before it looks for ends that are to be routed', 'SELECT events FROM domain_events'],
    ['before it reads the calls', 'FROM calls WHERE id >'],
    ['before it reads what is stored', 'SELECT metric, day, value FROM stats_daily'],
  ])('%s, finds no drift', async (_, statement) => {
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this` below
    const { query } = EntityManager.prototype;
    let interruptions = 0;
    jest.spyOn(EntityManager.prototype, 'query').mockImplementation(async function (
      this: EntityManager,
      sql: string,
      parameters?: unknown[],
    ) {
      const isInMidst = sql.includes(statement) && this.queryRunner?.isTransactionActive === true;
      if (isInMidst && interruptions === 0) {
        interruptions += 1;
        await createCall(other.api, 'rejected');
        await countCalls(other);
      }
      return query.call(this, sql, parameters) as unknown;
    } as typeof query);
    expect(await repairStatistics(test)).toEqual([]);
    expect([interruptions, (await callFigures(test)).total.rejected]).toEqual([1, 1]);
    expect(await repairStatistics(test)).toEqual([]);
  });
});
