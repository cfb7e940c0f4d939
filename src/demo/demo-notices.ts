import { Injectable } from '@nestjs/common';
import { NotificationSenderService } from '../notifications/services/notification-sender.service';
import { NotificationsService } from '../notifications/services/notifications.service';
import { DAY, type DemoCast, type DemoScene, HOUR } from './demo-scene';

const PARCELS = 20;

/** The demonstration's notifications, of each kind but missed calls, which the calls bring. */
@Injectable()
export class DemoNotices {
  constructor(
    private readonly sender: NotificationSenderService,
    private readonly notifications: NotificationsService,
  ) {}

  scenes({ admin, alice, bob }: DemoCast): DemoScene[] {
    return [
      {
        minutesAgo: 6 * DAY - 5,
        play: () =>
          this.sender.send({
            broadcast: true,
            type: 'system',
            title: '欢迎使用',
            content: '通话、消息、通知和设备分组都在这里。',
            dedupe_key: 'welcome',
          }),
      },
      // Parcels of five days, of which the first two have been read.
      ...Array.from({ length: PARCELS }, (_, index) => ({
        minutesAgo: 5.5 * DAY - index * 6 * HOUR,
        play: () => this.#parcel(alice, index + 1),
      })),
      { minutesAgo: 5 * DAY + HOUR, play: () => this.notifications.markAllRead(alice) },
      { minutesAgo: 2.2 * DAY, play: () => this.#parcel(bob, PARCELS + 1) },
      {
        minutesAgo: 1.3 * DAY,
        play: () =>
          this.sender.send({
            broadcast: true,
            type: 'announcement',
            title: '停水通知',
            content: '明日 9 时至 12 时停水,请提前储水。',
            data: { announcement_id: 1 },
          }),
      },
      {
        minutesAgo: 1.1 * DAY,
        play: () =>
          this.sender.send({
            user_ids: [admin],
            type: 'device',
            title: '设备离线',
            content: '地下车库门口机已离线 10 分钟。',
            data: { serial_no: 'YG-GATE-P1' },
          }),
      },
    ];
  }

  #parcel(userId: number, number: number) {
    return this.sender.send({
      user_ids: [userId],
      type: 'order',
      title: '快递已到',
      content: `第 ${number} 件快递已放入前台 ${((number * 7) % 24) + 1} 号柜。`,
      dedupe_key: `parcel-${number}`,
      data: { order_id: 10_000 + number },
    });
  }
}
