import { FaultHarness } from '../support/fault-harness';

const KILLS = 10;

describe('A service that is killed ten times during mixed load', () => {
  let fixture: FaultHarness;
  beforeAll(async () => {
    fixture = await FaultHarness.open();
  });
  afterAll(() => fixture?.close());

  it('has every acknowledged write once, and consistent data', async () => {
    let kills = 0;
    await fixture.underLoad(async () => {
      for (; kills < KILLS; kills += 1) {
        await fixture.untilAcknowledged(40);
        await fixture.replace(0);
      }
    });
    expect(kills).toBe(10);
    expect(fixture.client.failures).toBeGreaterThanOrEqual(10);
    await fixture.check();
  });
});
