import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Role } from '../common/auth/principal';
import { type OwnUserResponse, toOwnUserResponse } from './dto/user-responses.dto';
import type { UserEntity } from './entities/user.entity';

/** Hears of a user's new name or picture in the transaction that brings it; may write there, and must not wait. */
type Listener = (em: EntityManager, user: OwnUserResponse) => void;

/** Tells those who stand above this module what has become of a user. */
@Injectable()
export class UserChanges {
  readonly #listeners: Listener[] = [];

  /** Registers somebody who wants to hear, at the start. */
  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Name or picture of a user are others now. `role`: the one that counts for the user. */
  announce(em: EntityManager, user: UserEntity, role: Role): void {
    for (const listener of this.#listeners) listener(em, toOwnUserResponse(user, role));
  }
}
