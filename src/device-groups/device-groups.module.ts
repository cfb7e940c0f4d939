import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { DomainEventsModule } from '../outbox/domain-events.module';
import { DeviceGroupsController } from './device-groups.controller';
import { DeviceGroupsService } from './device-groups.service';
import { DevicesController } from './devices.controller';
import { DevicesService } from './devices.service';
import { DeviceChanges } from './events/device-changes';
import { DeviceGroupTreeEntity } from './entities/device-group-tree.entity';
import { DeviceGroupEntity } from './entities/device-group.entity';
import { DeviceMembershipEntity } from './entities/device-membership.entity';
import { DeviceEntity } from './entities/device.entity';
import { GroupCounts } from './group-counts';
import { GroupDevicesService } from './group-devices.service';
import { GroupPositionsService } from './group-positions.service';
import { GroupTree } from './group-tree';
import { StoredDocumentsController } from './stored-documents.controller';
import { DeviceBeats } from './terminals/device-beats';
import { DeviceHeartbeatsController } from './terminals/device-heartbeats.controller';
import { DeviceHeartbeatsService } from './terminals/device-heartbeats.service';
import { DeviceStreams } from './terminals/device-streams';
import { DeviceSweep } from './terminals/device-sweep';
import { DeviceWatch } from './terminals/device-watch';
import { OnlineCountService } from './terminals/online-count.service';
import { DeviceImportsService } from './upserts/device-imports.service';
import { DeviceUpsertsController } from './upserts/device-upserts.controller';
import { DeviceUpsertsService } from './upserts/device-upserts.service';

/** Devices and the tree of device groups, managed by administrators. */
@Module({
  imports: [
    DomainEventsModule,
    EventsModule,
    TypeOrmModule.forFeature([
      DeviceGroupEntity,
      DeviceGroupTreeEntity,
      DeviceEntity,
      DeviceMembershipEntity,
    ]),
  ],
  controllers: [
    StoredDocumentsController,
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
    GroupTree,
    DeviceBeats,
    DeviceChanges,
    DeviceHeartbeatsService,
    DeviceImportsService,
    DeviceStreams,
    DeviceSweep,
    DeviceUpsertsService,
    DeviceWatch,
    OnlineCountService,
  ],
  exports: [DeviceGroupsService, DevicesService, DeviceHeartbeatsService, OnlineCountService],
})
export class DeviceGroupsModule {}
