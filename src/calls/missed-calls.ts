import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UsersService } from '../identity/users.service';
import { NotificationsService } from '../notifications/services/notifications.service';
import type { CallEntity, MediaType } from './entities/call.entity';

const KIND: Record<MediaType, string> = { audio: '语音通话', video: '视频通话' };

/** Tells callees which calls they missed: one notification a call, never one a terminal (contract 3.4). */
@Injectable()
export class MissedCalls {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly users: UsersService,
  ) {}

  /** Notifies the callee, in the transaction in which the call was missed. */
  async announce(em: EntityManager, call: CallEntity): Promise<void> {
    const caller = (await this.users.findByIds([call.caller_id], em)).get(call.caller_id);
    await this.notifications.notify(em, [call.callee_id], {
      type: 'call_missed',
      title: '未接来电',
      content: `${caller?.name ?? `用户${call.caller_id}`} 的${KIND[call.media_type]}`,
      dedupeKey: `call_missed:${call.id}`,
      data: { call_id: call.id, peer_id: call.caller_id, media_type: call.media_type },
    });
  }
}
