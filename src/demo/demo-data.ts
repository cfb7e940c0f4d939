import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { UsersService } from '../identity/users.service';
import { DemoDevices } from './demo-devices';
import { DemoPeople, type DemoPerson } from './demo-people';

/** A few people, devices and groups for the first start on an empty database (contract 8). */
@Injectable()
export class DemoData {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly people: DemoPeople,
    private readonly devices: DemoDevices,
  ) {}

  /** Makes the people and the devices, unless there is anybody already; answers the people it made. */
  async seed(): Promise<DemoPerson[]> {
    if ((await this.users.count(this.dataSource.manager)) > 0) return [];
    await this.devices.seed();
    return this.people.create();
  }
}
