import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../outbox/domain-events';
import { toUserRecordResponse, type UserRecordResponse } from '../dto/user-responses.dto';
import type { UserEntity } from '../entities/user.entity';

interface UserEventPayload {
  user: UserRecordResponse;
  /** Names of the changed fields of `user`; empty for a new user. */
  changed: string[];
}

declare module '../../outbox/domain-event-types' {
  interface DomainEventPayloads {
    'user.created': UserEventPayload;
    'user.updated': UserEventPayload;
  }
}

/** Records domain events of users in the transaction that creates or changes them (API 14.7). */
@Injectable()
export class UserDomainEvents {
  constructor(private readonly domainEvents: DomainEvents) {}

  created(em: EntityManager, user: UserEntity): void {
    this.domainEvents.record(em, 'user.created', subjectOf(user), () => ({
      user: toUserRecordResponse(user),
      changed: [],
    }));
  }

  /**
   * @param user after the change
   * @param fields the changed fields; fields that are not part of the payload record no event
   */
  updated(em: EntityManager, user: UserEntity, fields: readonly (keyof UserEntity)[]): void {
    const record = toUserRecordResponse(user);
    const changed = fields.filter((field) => field in record);
    if (changed.length > 0)
      this.domainEvents.record(em, 'user.updated', subjectOf(user), () => ({ user: record, changed }));
  }
}

const subjectOf = ({ id }: UserEntity): string => `user:${id}`;
