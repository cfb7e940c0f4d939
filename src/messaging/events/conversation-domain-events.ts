import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../outbox/domain-events';
import type { ConversationEntity, ConversationType } from '../entities/conversation.entity';
import type { MessageView } from './event-payloads';

/** Maximum number of `member_ids` in `conversation.created`. */
const MAX_MEMBER_IDS = 500;

/** The fields of a message that do not depend on the viewer. */
type SharedMessage = Pick<MessageView, 'id' | 'conversation_id' | 'sender_id' | 'type' | 'content' | 'extra'>;

interface MessagePayload extends Pick<SharedMessage, 'conversation_id' | 'sender_id' | 'content' | 'extra'> {
  message_id: number;
  message_type: SharedMessage['type'];
}

declare module '../../outbox/domain-event-types' {
  interface DomainEventPayloads {
    'message.created': MessagePayload;
    /** With an empty `content`, and `extra` null. */
    'message.recalled': MessagePayload;
    /** Internal: a user has read a conversation, perhaps not all of it. */
    'conversation.read': { user_id: number; conversation_id: number };
    'conversation.created': {
      conversation_id: number;
      conversation_type: ConversationType;
      /** Null in a single chat. */
      owner_id: number | null;
      /** In a group the owner first; at most 500. */
      member_ids: number[];
    };
  }
}

/**
 * Records the domain events of conversations, each once, in the transaction that causes it (API 14.7). There is
 * none for a notice, since no user has sent it.
 */
@Injectable()
export class ConversationDomainEvents {
  constructor(private readonly domainEvents: DomainEvents) {}

  /** @param memberIds the creator first */
  created(em: EntityManager, { id, type }: ConversationEntity, memberIds: readonly number[]): void {
    this.domainEvents.record(em, 'conversation.created', `conversation:${id}`, () => ({
      conversation_id: id,
      conversation_type: type,
      owner_id: type === 'group' ? (memberIds[0] ?? null) : null,
      member_ids: memberIds.slice(0, MAX_MEMBER_IDS),
    }));
  }

  read(em: EntityManager, user_id: number, conversation_id: number): void {
    this.domainEvents.record(em, 'conversation.read', `conversation:${conversation_id}`, () => ({
      user_id,
      conversation_id,
    }));
  }

  /** @param traceparent trace of the request that sent it */
  sent(em: EntityManager, message: SharedMessage, traceparent: string | undefined): void {
    this.domainEvents.record(
      em,
      'message.created',
      subjectOf(message),
      () => toPayload(message),
      traceparent,
    );
  }

  /** @param message its state after the recall */
  recalled(em: EntityManager, message: SharedMessage): void {
    this.domainEvents.record(em, 'message.recalled', subjectOf(message), () => toPayload(message));
  }
}

const subjectOf = ({ id }: SharedMessage): string => `message:${id}`;

const toPayload = ({
  id,
  conversation_id,
  sender_id,
  type,
  content,
  extra,
}: SharedMessage): MessagePayload => ({
  message_id: id,
  conversation_id,
  sender_id,
  message_type: type,
  content,
  extra,
});
