import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Catalogues } from '../../common/i18n/catalogues';
import { UsersService } from '../../identity/users.service';
import { NotificationsService } from '../../notifications/services/notifications.service';
import type { CallEntity } from '../entities/call.entity';

/** Notifies callees of missed calls: one notification per call, not per terminal (API 5.8). */
@Injectable()
export class MissedCallNotifier {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly users: UsersService,
    private readonly languages: Catalogues,
  ) {}

  /** Notifies the callee in the transaction that ends the unanswered call. */
  async notify(em: EntityManager, call: CallEntity): Promise<void> {
    const caller = (await this.users.findByIds([call.caller_id], em)).get(call.caller_id);
    const { catalogue } = this.languages;
    await this.notifications.notify(em, [call.callee_id], {
      type: 'call_missed',
      title: catalogue.messages.missedCallTitle,
      content: catalogue.missedCall(
        caller?.name ?? catalogue.userWithoutName(call.caller_id),
        call.media_type,
      ),
      dedupeKey: `call_missed:${call.id}`,
      data: { call_id: call.id, peer_id: call.caller_id, media_type: call.media_type },
    });
  }
}
