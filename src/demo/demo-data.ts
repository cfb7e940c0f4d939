import { Injectable } from '@nestjs/common';
import { plusSeconds } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import { Transactions } from '../database/transactions';
import { UsersService } from '../identity/users.service';
import type { DemoClock } from './demo-clock';
import { DemoDevices } from './demo-devices';
import { DemoPeople, type DemoPerson } from './demo-people';
import { MINUTES_PER_DAY, type DemoStep } from './demo-step';
import { DemoTimeline } from './demo-timeline';

/** Creation of the users and devices, in minutes before now. */
const CREATED = 6 * MINUTES_PER_DAY;

/**
 * Creates users, devices and their activity of the last days on the first start with an empty database (API 16.2).
 * The data are the same each time, with timestamps in the past.
 */
@Injectable()
export class DemoData {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly people: DemoPeople,
    private readonly devices: DemoDevices,
    private readonly timeline: DemoTimeline,
  ) {}

  /**
   * Creates the demo data unless a user exists already. Returns the created users who can log in.
   * @param clock the clock of the service, which must not accept requests in the meantime
   */
  async seed(clock: DemoClock): Promise<DemoPerson[]> {
    if ((await this.users.count(this.transactions.read())) > 0) return [];
    const now = clock.now();
    const setTime = (minutesAgo: number): Date => {
      const time = plusSeconds(now, -minutesAgo * 60);
      clock.setTime(time);
      return time;
    };
    try {
      setTime(CREATED);
      // If several instances start concurrently, only one of them continues.
      if (!(await this.devices.seed())) return [];
      const users = await this.people.create();
      await this.devices.connect(users);
      const steps = this.timeline.scenes(users).toSorted((a, b) => b.minutesAgo - a.minutesAgo);
      for (const step of steps) {
        const startTime = setTime(step.minutesAgo);
        await runStep(step, (seconds) => clock.setTime(plusSeconds(startTime, seconds)));
      }
      clock.resume();
      await this.devices.recordHeartbeats(users);
      return await this.people.logIn(users);
    } finally {
      clock.resume();
    }
  }
}

/**
 * Runs a step. Ends it early if another instance, whose clock is not set back, has ended a call of the past as expired.
 */
async function runStep(step: DemoStep, advance: (seconds: number) => void): Promise<void> {
  try {
    await step.play(advance);
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
  }
}
