import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../../events/events.service';
import { topicLog } from '../../events/log/log-id';
import { toSharedEvent } from '../../events/log/event';
import { viewersOf } from '../store/visible-message.store';
import type { Membership } from '../store/membership.store';
import type { EditEvent } from './event-payloads';

const EDITED = 'message.edited';

/** Publishes edits to the members who see the message (API 8.12), with the same payload for all. */
@Injectable()
export class EditEvents {
  constructor(private readonly events: EventsService) {}

  /** `message.edited` of message number `seq`, in the transaction that edits it. */
  async edited(
    em: EntityManager,
    { conversation_id, pulled: fanOutOnRead }: Membership,
    seq: number,
    edit: EditEvent,
  ): Promise<void> {
    if (fanOutOnRead)
      return this.events.appendToTopic(em, topicLog(conversation_id), {
        type: EDITED,
        payload: { edit, seq },
      });
    const viewers = await viewersOf(em, conversation_id, seq);
    this.events.append(
      em,
      viewers.map((userId) => toSharedEvent({ userId, type: EDITED, shared: edit, own: {} })),
    );
  }
}
