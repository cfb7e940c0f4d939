import { type InputRow, type PlannedUpsert, planUpserts } from '../../common/bulk/upsert-planner';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { foldCase } from '../../common/fold-case';

/* Plans the upsert of users sent by a backend, one after the other in their order (API 3.4). Pure. */

/** Value of `status`. */
const DISABLED = 0;

/** The input for a user; undefined fields are not changed. */
export interface UserInput {
  external_id: string;
  account?: string | null;
  name?: string;
  avatar?: string | null;
  status?: number;
}

/** An existing user, found by external id. */
export interface KnownUser {
  id: number;
  account: string | null;
  name: string;
  avatar: string | null;
  status: number;
  role: string;
}

/**
 * Which enabled administrators count as remaining: those who can log in, with an account and a password, or all with the
 * stored role.
 */
export type RemainingAdministrators = 'able to log in' | 'all';

/** The current state of the users in the input. */
export interface CurrentUsers<User extends KnownUser> {
  /** Existing users by external id. */
  users: ReadonlyMap<string, User>;
  /** Owners of the requested accounts: folded account → user id. */
  accounts: ReadonlyMap<string, number>;
  /**
   * Ids of administrators of whom one must remain; undefined if all may lose their access. At most one more id than there
   * are input rows is needed.
   */
  administrators?: ReadonlySet<number>;
  /** Which administrators these are. */
  counted?: RemainingAdministrators;
  /** If true, administrators must not be changed (API keys). */
  sparesAdministrators?: boolean;
}

/** The planned operation for one input row. */
export type PlannedUser<User extends KnownUser> = PlannedUpsert<UserInput, User>;

/** Returns the field that takes an administrator's access away; undefined if there is none. */
export function fieldRemovingAccess(
  { status, account }: UserInput,
  user: KnownUser,
  counted: RemainingAdministrators | undefined,
): 'status' | 'account' | undefined {
  if (status === DISABLED) return 'status';
  const losesAccount = account === null && user.account !== null;
  return losesAccount && counted === 'able to log in' ? 'account' : undefined;
}

/** Owner id of an account that was assigned to a new user of the same request. */
const NEW_USER = 0;

/**
 * Plans the operation for each input row, in order. An account that has an owner at the start stays reserved for that
 * owner, even if the owner gives it up in the same request.
 */
export function planUserUpserts<User extends KnownUser>(
  rows: readonly InputRow<UserInput>[],
  current: CurrentUsers<User>,
): PlannedUser<User>[] {
  const accounts = new Map(current.accounts);
  const administrators = current.administrators && new Set(current.administrators);
  return planUpserts(rows, {
    keyField: 'external_id',
    existing: current.users,
    validate: (input, user) => {
      if (user === undefined && input.name === undefined) return invalidField('name', 'required');
      if (current.sparesAdministrators && user?.role === 'admin') return new BusinessError('FORBIDDEN');
      const isLast = user !== undefined && administrators?.size === 1 && administrators.has(user.id);
      const removing = isLast ? fieldRemovingAccess(input, user, current.counted) : undefined;
      if (removing !== undefined) return invalidField(removing, 'invalid');
      const owner = typeof input.account === 'string' ? accounts.get(foldCase(input.account)) : undefined;
      const isTaken = owner !== undefined && (user === undefined || owner !== user.id);
      return isTaken ? new BusinessError('ACCOUNT_TAKEN') : undefined;
    },
    accept: (input, user) => {
      if (typeof input.account === 'string') accounts.set(foldCase(input.account), user?.id ?? NEW_USER);
      if (user !== undefined && fieldRemovingAccess(input, user, current.counted) !== undefined)
        administrators?.delete(user.id);
    },
    matches: matchesInput,
  });
}

const matchesInput = (user: KnownUser, { account, name, avatar, status }: UserInput): boolean =>
  (account === undefined || account === user.account) &&
  (name === undefined || name === user.name) &&
  (avatar === undefined || avatar === user.avatar) &&
  (status === undefined || status === user.status);
