import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActsModule } from '../outbox/acts.module';
import { DeviceGroupsController } from './device-groups.controller';
import { DeviceGroupsService } from './device-groups.service';
import { DevicesController } from './devices.controller';
import { DevicesService } from './devices.service';
import { DeviceGroupTreeEntity } from './entities/device-group-tree.entity';
import { DeviceGroupEntity } from './entities/device-group.entity';
import { DeviceMembershipEntity } from './entities/device-membership.entity';
import { DeviceEntity } from './entities/device.entity';
import { GroupCounts } from './group-counts';
import { GroupDevicesService } from './group-devices.service';
import { GroupPositionsService } from './group-positions.service';
import { GroupTree } from './group-tree';
import { StoredDocumentsController } from './stored-documents.controller';

/** Devices, and the tree of groups they are in, for the administrators. */
@Module({
  imports: [
    ActsModule,
    TypeOrmModule.forFeature([
      DeviceGroupEntity,
      DeviceGroupTreeEntity,
      DeviceEntity,
      DeviceMembershipEntity,
    ]),
  ],
  controllers: [StoredDocumentsController, DeviceGroupsController, DevicesController],
  providers: [
    DeviceGroupsService,
    GroupDevicesService,
    GroupPositionsService,
    DevicesService,
    GroupCounts,
    GroupTree,
  ],
  exports: [DeviceGroupsService, DevicesService],
})
export class DeviceGroupsModule {}
