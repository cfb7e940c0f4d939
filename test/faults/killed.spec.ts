import { FaultScene } from '../support/fault-scene';

const KILLS = 10;

describe('A service that is killed during mixed load, ten times in a row', () => {
  let scene: FaultScene;
  beforeAll(async () => {
    scene = await FaultScene.open();
  });
  afterAll(() => scene?.close());

  it('has every write that it acknowledged, once, and nothing disagrees', async () => {
    let kills = 0;
    await scene.duringLoad(async () => {
      for (; kills < KILLS; kills += 1) {
        await scene.acknowledges(40);
        await scene.replace(0);
      }
    });
    expect(kills).toBe(10);
    expect(scene.client.failures).toBeGreaterThanOrEqual(10);
    await scene.check();
  });
});
