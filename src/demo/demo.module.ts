import { Module } from '@nestjs/common';
import { DeviceGroupsModule } from '../device-groups/device-groups.module';
import { DemoData } from './demo-data';
import { DemoDevices } from './demo-devices';
import { DemoPeople } from './demo-people';

/** Data to try the service with; `main` seeds it when `DEMO_DATA` is on. */
@Module({
  imports: [DeviceGroupsModule],
  providers: [DemoData, DemoDevices, DemoPeople],
  exports: [DemoData],
})
export class DemoModule {}
