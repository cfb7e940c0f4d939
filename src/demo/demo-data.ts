import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { plusSeconds } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import { UsersService } from '../identity/users.service';
import type { DemoClock } from './demo-clock';
import { DemoDevices } from './demo-devices';
import { DemoPeople, type DemoPerson } from './demo-people';
import { DAY, type DemoScene } from './demo-scene';
import { DemoStory } from './demo-story';

/** When the people and the devices came, in minutes before now. */
const BEGINNING = 6 * DAY;

/**
 * People, devices, and what they have done in the last days, for the first start on an empty database (contract 8, 18.8):
 * the same every time, and as old as it would be if it had happened.
 */
@Injectable()
export class DemoData {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly people: DemoPeople,
    private readonly devices: DemoDevices,
    private readonly story: DemoStory,
  ) {}

  /**
   * Makes everything, unless there is anybody already; answers the people it made.
   * @param clock by which the service goes; nobody may be served meanwhile
   */
  async seed(clock: DemoClock): Promise<DemoPerson[]> {
    if ((await this.users.count(this.dataSource.manager)) > 0) return [];
    const now = clock.now();
    const begin = (minutesAgo: number): Date => {
      const moment = plusSeconds(now, -minutesAgo * 60);
      clock.pretend(moment);
      return moment;
    };
    try {
      begin(BEGINNING);
      // Of instances that start together only one goes on.
      if (!(await this.devices.seed())) return [];
      const cast = await this.people.create();
      await this.devices.connect(cast);
      const scenes = this.story.scenes(cast).toSorted((a, b) => b.minutesAgo - a.minutesAgo);
      for (const scene of scenes) {
        const moment = begin(scene.minutesAgo);
        await play(scene, (seconds) => clock.pretend(plusSeconds(moment, seconds)));
      }
      clock.resume();
      await this.devices.beat(cast);
      return await this.people.logIn(cast);
    } finally {
      clock.resume();
    }
  }
}

/** Another instance goes by the present, to which a call of the past is long over: then the scene ends early. */
async function play(scene: DemoScene, later: (seconds: number) => void): Promise<void> {
  try {
    await scene.play(later);
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
  }
}
