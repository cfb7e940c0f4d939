import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Role } from '../common/auth/principal';
import { type OwnUserResponse, toOwnUserResponse } from './dto/user-responses.dto';
import type { UserEntity } from './entities/user.entity';
import { UserDomainEvents } from './events/user-domain-events';
import { deleteSessionsOf } from './sessions/sessions.store';
import type { ChangedUser } from './user-rows.store';

/** A field of a user's own profile. */
export type OwnField = keyof OwnUserResponse;

/**
 * Is notified of a user's changed fields, in the transaction that changes them. May write in it, and must await nothing
 * else.
 */
type Listener = (
  em: EntityManager,
  user: OwnUserResponse,
  fields: readonly OwnField[],
) => void | Promise<void>;

/** Is notified of users who are being disabled, in the transaction that disables them and has locked their rows. */
type DisableListener = (em: EntityManager, userIds: readonly number[]) => Promise<void>;

/**
 * Fields that an administrator may change and users see in their own profile. Not the role: users see the role of their
 * token, which stays valid.
 */
const OWN_PROFILE_FIELDS = ['account', 'name', 'avatar'] as const;

/** Notifies modules that depend on this one of changes to users. */
@Injectable()
export class UserChanges {
  readonly #listeners: Listener[] = [];
  readonly #disableListeners: DisableListener[] = [];

  constructor(private readonly domainEvents: UserDomainEvents) {}

  /** Registers a listener for changed users, at startup. */
  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Registers a listener for disabled users, at startup. */
  onDisable(listener: DisableListener): void {
    this.#disableListeners.push(listener);
  }

  /**
   * Ends the sessions of users who are being disabled, and notifies the listeners, which end their calls. Users who were
   * disabled before may be among them. The caller must have locked their rows.
   */
  async endAccess(em: EntityManager, userIds: readonly number[]): Promise<void> {
    await deleteSessionsOf(em, userIds);
    for (const listener of this.#disableListeners) await listener(em, userIds);
  }

  /**
   * Notifies the listeners of a user's changed fields.
   * @param role the role that the user sees: the token's where it is known
   */
  async announce(
    em: EntityManager,
    user: UserEntity,
    role: Role,
    fields: readonly OwnField[],
  ): Promise<void> {
    for (const listener of this.#listeners) await listener(em, toOwnUserResponse(user, role), fields);
  }

  /** Records the creation of a user by a backend. */
  announceNew(em: EntityManager, user: UserEntity): void {
    this.domainEvents.created(em, user);
  }

  /** Records changes by an administrator or a backend, and notifies the listeners of those that the user sees. */
  async announceAdministered(em: EntityManager, { user, fields }: ChangedUser): Promise<void> {
    this.domainEvents.updated(em, user, fields);
    const visibleFields = OWN_PROFILE_FIELDS.filter((field) => fields.includes(field));
    if (visibleFields.length > 0) await this.announce(em, user, user.role, visibleFields);
  }
}
