import { type DynamicModule, Module } from '@nestjs/common';
import { DeviceGroupsModule } from '../device-groups/device-groups.module';
import { MessagingModule } from '../messaging/messaging.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { DemoAccounts } from './demo-accounts';
import { DemoCalls } from './demo-calls';
import { DemoChats } from './demo-chats';
import { DemoData } from './demo-data';
import { DemoDevices } from './demo-devices';
import { DemoMessages } from './demo-messages';
import { DemoNotifications } from './demo-notifications';
import { DemoPeople } from './demo-people';
import { DemoTimeline } from './demo-timeline';

/** Demo data for trying the service. `serve.ts` creates them if `DEMO_DATA` is on. */
@Module({
  imports: [DeviceGroupsModule, MessagingModule, NotificationsModule],
  providers: [
    DemoAccounts,
    DemoCalls,
    DemoChats,
    DemoData,
    DemoDevices,
    DemoMessages,
    DemoNotifications,
    DemoPeople,
    DemoTimeline,
  ],
  exports: [DemoAccounts, DemoData],
})
export class DemoModule {
  /** @param calls the configured module of calls, which must be the same instance as in the rest of the service */
  static forRoot(calls: DynamicModule): DynamicModule {
    return { module: DemoModule, imports: [calls] };
  }
}
