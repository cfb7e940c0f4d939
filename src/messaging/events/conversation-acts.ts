import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Acts } from '../../outbox/acts';
import type { ConversationEntity, ConversationType } from '../entities/conversation.entity';
import type { SeenMessage } from './group-event';

/** Of how many members a new conversation tells. */
const MEMBERS_TOLD = 500;

/** A message as nobody in particular sees it. */
type ToldMessage = Pick<SeenMessage, 'id' | 'conversation_id' | 'sender_id' | 'type' | 'content' | 'extra'>;

interface MessageAct extends Pick<ToldMessage, 'conversation_id' | 'sender_id' | 'content' | 'extra'> {
  message_id: number;
  message_type: ToldMessage['type'];
}

declare module '../../outbox/act-types' {
  interface ActPayloads {
    'message.created': MessageAct;
    /** Without what it said. */
    'message.recalled': MessageAct;
    'conversation.created': {
      conversation_id: number;
      conversation_type: ConversationType;
      /** Null in a single chat. */
      owner_id: number | null;
      /** The owner first, where there is one; at most 500. */
      member_ids: number[];
    };
  }
}

/**
 * Records what back ends are told of conversations, once for each act, in the transaction in which it happens (contract
 * 12.3). Notices are no messages of anybody's: there is no act of one.
 */
@Injectable()
export class ConversationActs {
  constructor(private readonly acts: Acts) {}

  /** @param memberIds the one who made it comes first */
  begun(em: EntityManager, { id, type }: ConversationEntity, memberIds: readonly number[]): void {
    this.acts.record(em, 'conversation.created', `conversation:${id}`, () => ({
      conversation_id: id,
      conversation_type: type,
      owner_id: type === 'group' ? (memberIds[0] ?? null) : null,
      member_ids: memberIds.slice(0, MEMBERS_TOLD),
    }));
  }

  sent(em: EntityManager, message: ToldMessage): void {
    this.acts.record(em, 'message.created', subjectOf(message), () => toAct(message));
  }

  /** @param message as it is now */
  recalled(em: EntityManager, message: ToldMessage): void {
    this.acts.record(em, 'message.recalled', subjectOf(message), () => toAct(message));
  }
}

const subjectOf = ({ id }: ToldMessage): string => `message:${id}`;

const toAct = ({ id, conversation_id, sender_id, type, content, extra }: ToldMessage): MessageAct => ({
  message_id: id,
  conversation_id,
  sender_id,
  message_type: type,
  content,
  extra,
});
