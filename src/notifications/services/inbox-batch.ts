import type { EntityManager } from 'typeorm';
import type { UserId } from '../../common/ids';
import { batchedStep } from '../../database/batching/batched-step';
import { pipeline } from '../../database/transaction-statements';
import type { TypeCounts } from '../rules/inbox-map.rules';
import { changePositions, type InboxChange, storeTypes } from '../store/inbox-changes.store';
import type { LockedInbox } from '../store/locked-inbox';
import { readLocked, readLockedWith, type TargetKey } from '../store/locked-inbox.store';
import { type Removal, removeNotifications } from '../store/removals.store';

/**
 * Locks the inboxes of users, and opens missing ones.
 * @param read reads the locked inboxes; may be called twice
 */
export type LockInboxes = <T>(userIds: readonly UserId[], read: () => Promise<T>) => Promise<T>;

/**
 * The steps of one batched transaction on inboxes. Callbacks that reach a step in the same turn of the event loop share
 * its statements. After a statement sent through `em`, callbacks continue in different turns and share no further
 * statement.
 */
export class InboxBatch {
  constructor(
    readonly em: EntityManager,
    private readonly lockInboxes: LockInboxes,
  ) {}

  /** Locks the user's inbox until the commit, and returns it. */
  readonly lock = batchedStep(async (userIds: readonly UserId[]) => {
    const inboxes = await this.lockInboxes(userIds, () => readLocked(this.em, userIds));
    const byUser = new Map(inboxes.map((inbox) => [inbox.user_id, inbox]));
    return userIds.map((userId) => byUser.get(userId) as LockedInbox);
  });

  /** Locks the user's inbox, and returns it with a notification; undefined if the user has no such notification. */
  readonly lockWith = batchedStep((keys: readonly TargetKey[]) =>
    this.lockInboxes(
      keys.map(({ userId }) => userId),
      () => readLockedWith(this.em, keys),
    ),
  );

  /** Changes a notification in the locked inbox and in the database. */
  readonly change = batchedStep((changes: readonly InboxChange[]) => changePositions(this.em, changes));

  /** Sends counts of types of a locked inbox to the database, without waiting for the result. */
  readonly storeTypes = batchedStep(
    async (changes: readonly { inbox: LockedInbox; types: TypeCounts[] }[]) => {
      const rows = changes.flatMap(({ inbox: { user_id }, types }) =>
        types.map((counts) => ({ user_id, ...counts })),
      );
      pipeline(this.em, storeTypes(this.em, rows));
    },
  );

  /** Deletes a notification. */
  readonly remove = batchedStep((removals: readonly Removal[]) => removeNotifications(this.em, removals));
}
