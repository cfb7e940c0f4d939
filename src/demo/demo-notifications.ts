import { Injectable } from '@nestjs/common';
import type { UserId } from '../common/ids';
import type { SendNotificationRequest } from '../notifications/dto/send-notification.dto';
import { AnnouncementsService } from '../notifications/services/announcements.service';
import { NotificationSenderService } from '../notifications/services/notification-sender.service';
import { NotificationsService } from '../notifications/services/notifications.service';
import type { DemoUsers } from './demo-people';
import { MINUTES_PER_DAY, type DemoStep, MINUTES_PER_HOUR } from './demo-step';

const PARCELS = 20;
const ENGLISH_PARCELS = 3;

/** The notifications of the demo data: one of each type except missed calls, which the demo calls create. */
@Injectable()
export class DemoNotifications {
  constructor(
    private readonly sender: NotificationSenderService,
    private readonly notifications: NotificationsService,
    private readonly announcements: AnnouncementsService,
  ) {}

  scenes({ admin, alice, bob, door, emma }: DemoUsers): DemoStep[] {
    return [
      {
        minutesAgo: 6 * MINUTES_PER_DAY - 5,
        play: () =>
          this.#send(admin, {
            broadcast: true,
            type: 'system',
            title: '欢迎使用 · Welcome',
            content:
              '通话、消息、通知和设备分组都在这里。\nCalls, messages, notifications and device groups are all in one place.',
            dedupe_key: 'welcome',
          }),
      },
      // Parcels of five days; alice has read the first two.
      ...Array.from({ length: PARCELS }, (_, index) => ({
        minutesAgo: 5.5 * MINUTES_PER_DAY - index * 6 * MINUTES_PER_HOUR,
        play: () => this.#parcel(admin, alice, index + 1),
      })),
      ...Array.from({ length: ENGLISH_PARCELS }, (_, index) => ({
        minutesAgo: MINUTES_PER_DAY - index * 6 * MINUTES_PER_HOUR,
        play: () => this.#parcel(admin, emma, 2 * PARCELS + index, 'en'),
      })),
      {
        minutesAgo: 5 * MINUTES_PER_DAY + MINUTES_PER_HOUR,
        play: () => this.notifications.markAllRead(alice),
      },
      { minutesAgo: 2.2 * MINUTES_PER_DAY, play: () => this.#parcel(admin, bob, PARCELS + 1) },
      {
        minutesAgo: 1.3 * MINUTES_PER_DAY,
        play: async (advance) => {
          const { announcement_id: id } = await this.#send(admin, {
            broadcast: true,
            type: 'announcement',
            title: '停水通知 · Water off tomorrow',
            content:
              '明日 9 时至 12 时停水，请提前储水。\nThe water is off from 9 to 12 tomorrow. Please store some in advance.',
          });
          advance(20 * 60);
          await this.notifications.unreadCount(alice);
          await this.notifications.markAllRead(door, 'announcement');
          advance(30 * 60);
          if (id !== null) await this.announcements.countReach(id);
        },
      },
      {
        minutesAgo: 1.2 * MINUTES_PER_DAY,
        play: async (advance) => {
          const { announcement_id: id } = await this.#send(admin, {
            role: 'user',
            type: 'announcement',
            title: '停电通知 · Power cut',
            content: '今日 9 时至 12 时停电。\nThe power is off from 9 to 12 today.',
          });
          // Recalled because it was meant for another building.
          advance(5 * 60);
          if (id !== null) await this.announcements.recall(id);
        },
      },
      {
        minutesAgo: 1.1 * MINUTES_PER_DAY,
        play: () =>
          this.#send(admin, {
            user_ids: [admin],
            type: 'device',
            title: '设备离线',
            content: '地下车库门口机已离线 10 分钟。',
            data: { serial_no: 'YG-GATE-P1' },
          }),
      },
    ];
  }

  #send(admin: UserId, body: SendNotificationRequest) {
    return this.sender.send(body, { user: { id: admin } });
  }

  #parcel(admin: UserId, userId: UserId, number: number, language: 'zh' | 'en' = 'zh') {
    const locker = ((number * 7) % 24) + 1;
    const text = {
      zh: { title: '快递已到', content: `第 ${number} 件快递已放入前台 ${locker} 号柜。` },
      en: {
        title: 'A parcel has arrived',
        content: `Parcel ${number} is at the front desk, locker ${locker}.`,
      },
    };
    return this.#send(admin, {
      user_ids: [userId],
      type: 'order',
      ...text[language],
      dedupe_key: `parcel-${number}`,
      data: { order_id: 10_000 + number },
    });
  }
}
