import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Acts } from '../../outbox/acts';
import { toUserRecordResponse, type UserRecordResponse } from '../dto/user-responses.dto';
import type { UserEntity } from '../entities/user.entity';

interface UserAct {
  user: UserRecordResponse;
  /** The fields of `user` that are others now; none of a new one. */
  changed: string[];
}

declare module '../../outbox/act-types' {
  interface ActPayloads {
    'user.created': UserAct;
    'user.updated': UserAct;
  }
}

/** Records what back ends are told of users, in the transaction that makes or changes them (contract 12.3). */
@Injectable()
export class UserActs {
  constructor(private readonly acts: Acts) {}

  created(em: EntityManager, user: UserEntity): void {
    this.acts.record(em, 'user.created', subjectOf(user), () => ({
      user: toUserRecordResponse(user),
      changed: [],
    }));
  }

  /**
   * @param user as it is now
   * @param fields what is another now; what back ends do not see makes no act
   */
  updated(em: EntityManager, user: UserEntity, fields: readonly (keyof UserEntity)[]): void {
    const seen = toUserRecordResponse(user);
    const changed = fields.filter((field) => field in seen);
    if (changed.length > 0)
      this.acts.record(em, 'user.updated', subjectOf(user), () => ({ user: seen, changed }));
  }
}

const subjectOf = ({ id }: UserEntity): string => `user:${id}`;
