import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../../events/events.service';
import { topicLog } from '../../events/log/log-id';
import { withSharedPayload } from '../../events/log/split-payload';
import { viewersOf } from '../store/visible-message.store';
import type { Membership } from '../store/membership.store';
import type { EditEvent } from './event-payloads';

const EDITED = 'message.edited';

/** Publishes edits to the members who see the message (contract 16.6), with the same payload for all. */
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
    this.events.append(em, (await viewersOf(em, conversation_id, seq)).map(withSharedPayload(EDITED, edit)));
  }
}
