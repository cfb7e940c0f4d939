import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Role } from '../common/auth/principal';
import { type OwnUserResponse, toOwnUserResponse } from './dto/user-responses.dto';
import type { UserEntity } from './entities/user.entity';
import { UserActs } from './events/user-acts';
import type { ChangedUser } from './user-rows.queries';

/** A field of what users see of themselves. */
export type OwnField = keyof OwnUserResponse;

/**
 * Hears of a user who has changed, and in which fields, in the transaction that changes it; may write there, and must
 * wait for nothing else.
 */
type Listener = (
  em: EntityManager,
  user: OwnUserResponse,
  fields: readonly OwnField[],
) => void | Promise<void>;

/** Is notified of users who are disabled, in the transaction that disables them and has locked their rows. */
type DisableListener = (em: EntityManager, userIds: readonly number[]) => Promise<void>;

/** What of an administrator's changes users see of themselves. Their role is that of the token, which goes on. */
const SEEN = ['account', 'name', 'avatar'] as const;

/** Tells those who stand above this module what has become of a user. */
@Injectable()
export class UserChanges {
  readonly #listeners: Listener[] = [];
  readonly #disableListeners: DisableListener[] = [];

  constructor(private readonly acts: UserActs) {}

  /** Registers somebody who wants to hear, at the start. */
  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Registers a listener for users who are disabled, at the start. */
  onDisable(listener: DisableListener): void {
    this.#disableListeners.push(listener);
  }

  /** Notifies the modules above this one that users are disabled; those who were before may be among them. */
  async announceDisabled(em: EntityManager, userIds: readonly number[]): Promise<void> {
    for (const listener of this.#disableListeners) await listener(em, userIds);
  }

  /** These fields of a user are others now. `role`: the one that counts for the user. */
  async announce(
    em: EntityManager,
    user: UserEntity,
    role: Role,
    fields: readonly OwnField[],
  ): Promise<void> {
    for (const listener of this.#listeners) await listener(em, toOwnUserResponse(user, role), fields);
  }

  /** A back end has made a user. */
  announceNew(em: EntityManager, user: UserEntity): void {
    this.acts.created(em, user);
  }

  /** An administrator, or a back end, has changed these fields of a user, some of which users may see of themselves. */
  async announceAdministered(em: EntityManager, { user, fields }: ChangedUser): Promise<void> {
    this.acts.updated(em, user, fields);
    const seen = SEEN.filter((field) => fields.includes(field));
    if (seen.length > 0) await this.announce(em, user, user.role, seen);
  }
}
