import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { DomainEventsModule } from '../outbox/domain-events.module';
import { DeviceGroupsController } from './device-groups.controller';
import { DeviceGroupsService } from './services/device-groups.service';
import { DevicesController } from './devices.controller';
import { DevicesService } from './services/devices.service';
import { DeviceChanges } from './events/device-changes';
import { GroupCounts } from './services/group-counts';
import { GroupDevicesService } from './services/group-devices.service';
import { GroupPositionsService } from './services/group-positions.service';
import { GroupPages } from './services/group-pages';
import { GroupTree } from './services/group-tree';
import { GroupVersions } from './services/group-versions';
import { DeviceGroupTreeController } from './device-group-tree.controller';
import { DeviceHeartbeatsController } from './presence/device-heartbeats.controller';
import { DeviceHeartbeatsService } from './presence/device-heartbeats.service';
import { StreamHeartbeats } from './presence/stream-heartbeats';
import { OfflineSweeper } from './presence/offline-sweeper';
import { DevicePresenceJob } from './presence/device-presence.job';
import { OnlineCountService } from './presence/online-count.service';
import { DeviceImportsService } from './bulk/device-imports.service';
import { DeviceUpsertsController } from './bulk/device-upserts.controller';
import { DeviceUpsertsService } from './bulk/device-upserts.service';

/** Devices and the tree of device groups, managed by administrators. */
@Module({
  imports: [DomainEventsModule, EventsModule],
  controllers: [
    DeviceGroupTreeController,
    DeviceGroupsController,
    DeviceUpsertsController,
    DevicesController,
    DeviceHeartbeatsController,
  ],
  providers: [
    DeviceGroupsService,
    GroupDevicesService,
    GroupPositionsService,
    DevicesService,
    GroupCounts,
    GroupPages,
    GroupTree,
    GroupVersions,
    DeviceChanges,
    DeviceHeartbeatsService,
    DeviceImportsService,
    StreamHeartbeats,
    OfflineSweeper,
    DeviceUpsertsService,
    DevicePresenceJob,
    OnlineCountService,
  ],
  exports: [DeviceGroupsService, DevicesService, DeviceHeartbeatsService, OnlineCountService],
})
export class DeviceGroupsModule {}
