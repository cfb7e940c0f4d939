import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Role } from '../common/auth/principal';
import { DomainEvents } from '../outbox/domain-events';
import {
  type OwnUserResponse,
  toOwnUserResponse,
  toUserRecordResponse,
  type UserRecordResponse,
} from './dto/user-responses.dto';
import type { UserEntity } from './entities/user.entity';
import { deleteSessionsOf } from './sessions/sessions.store';
import type { ChangedUser } from './user-rows.store';

interface UserEventPayload {
  user: UserRecordResponse;
  /** Names of the changed fields of `user`; empty for a new user. */
  changed: string[];
}

declare module '../outbox/domain-event-types' {
  interface DomainEventPayloads {
    'user.created': UserEventPayload;
    'user.updated': UserEventPayload;
  }
}

/**
 * Is notified of a user's changed fields, in the transaction that changes them. May write in it, and must await nothing
 * else.
 */
type Listener = (
  em: EntityManager,
  user: OwnUserResponse,
  fields: readonly (keyof OwnUserResponse)[],
) => void | Promise<void>;

/** Is notified of users who are being disabled, in the transaction that disables them and has locked their rows. */
type DisableListener = (em: EntityManager, userIds: readonly number[]) => Promise<void>;

/**
 * Fields that can change and that users see in their own profile. Not the role: users see the role of their token, which
 * stays valid.
 */
const OWN_PROFILE_FIELDS = ['account', 'name', 'avatar', 'discoverable', 'presence_visible'] as const;

/**
 * Records domain events of users, in the transaction that creates or changes them (API 14.7), ends the sessions of users
 * who are disabled, and notifies modules that depend on this one.
 */
@Injectable()
export class UserChanges {
  readonly #listeners: Listener[] = [];
  readonly #disableListeners: DisableListener[] = [];

  constructor(private readonly domainEvents: DomainEvents) {}

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
   * disabled before may be among them. The caller must have locked their rows, and must remove the users from the cache of
   * `TokenAuthenticator` after the commit.
   */
  async endAccess(em: EntityManager, userIds: readonly number[]): Promise<void> {
    await deleteSessionsOf(em, userIds);
    for (const listener of this.#disableListeners) await listener(em, userIds);
  }

  /** Records the creation of a user. */
  created(em: EntityManager, user: UserEntity): void {
    this.domainEvents.record(em, 'user.created', subjectOf(user), () => ({
      user: toUserRecordResponse(user),
      changed: [],
    }));
  }

  /**
   * Records a change to a user, unless no changed field is part of the event, and notifies the listeners of the fields
   * that the user sees.
   * @param role the role that the user sees: the token's where it is known
   */
  async updated(
    em: EntityManager,
    { user, fields }: Pick<ChangedUser, 'user' | 'fields'>,
    role: Role = user.role,
  ): Promise<void> {
    const record = toUserRecordResponse(user);
    const changed = fields.filter((field) => field in record);
    if (changed.length > 0)
      this.domainEvents.record(em, 'user.updated', subjectOf(user), () => ({ user: record, changed }));
    const visibleFields = OWN_PROFILE_FIELDS.filter((field) => fields.includes(field));
    if (visibleFields.length === 0) return;
    for (const listener of this.#listeners) await listener(em, toOwnUserResponse(user, role), visibleFields);
  }
}

const subjectOf = ({ id }: UserEntity): string => `user:${id}`;
