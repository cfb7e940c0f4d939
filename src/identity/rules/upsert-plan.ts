import { BusinessError, invalidField } from '../../common/errors/business-error';
import { foldCase } from '../../common/fold-case';

/* Plans the upsert of users sent by a backend, one after the other in their order (contract 13.2). Pure. */

export type UserUpsertResult = 'created' | 'updated' | 'unchanged' | 'error';

/** Values of `status`. */
const ENABLED = 1;
const DISABLED = 0;

/** The input for a user; undefined fields are not changed. */
export interface UserInput {
  external_id: string;
  account?: string | null;
  name?: string;
  avatar?: string | null;
  status?: number;
}

/** One input row: the parsed user, or the error and the external id if that could be read. */
export type UserInputRow =
  { externalId: string; told: UserInput } | { externalId: string | null; refusal: BusinessError };

/** An existing user, found by external id. */
export interface KnownUser {
  id: number;
  account: string | null;
  name: string;
  avatar: string | null;
  status: number;
  role: string;
}

/** The current state of the users in the input. */
export interface CurrentUsers<User extends KnownUser> {
  /** Existing users by external id. */
  users: ReadonlyMap<string, User>;
  /** Owners of the requested accounts: folded account → user id. */
  accounts: ReadonlyMap<string, number>;
  /**
   * Ids of administrators of whom one must remain; undefined if all may be disabled. At most one more id than there are
   * input rows is needed.
   */
  administrators?: ReadonlySet<number>;
  /** If true, administrators must not be changed (API keys). */
  sparesAdministrators?: boolean;
}

/** The planned operation for one input row. */
export type PlannedUser<User extends KnownUser> =
  | { result: 'created'; externalId: string; told: UserInput & { name: string; status: number } }
  | { result: 'updated' | 'unchanged'; externalId: string; user: User; told: UserInput }
  | { result: 'error'; externalId: string | null; user?: User; refusal: BusinessError };

/** The result of one input row. */
export interface UserUpsertOutcome {
  externalId: string | null;
  id: number | null;
  result: UserUpsertResult;
  refusal?: BusinessError;
}

/** Owner id of an account that was assigned to a new user of the same request. */
const NEW_USER = 0;

/**
 * Plans the operation for each input row, in order. An account that has an owner at the start stays reserved for that
 * owner, even if the owner gives it up in the same request.
 */
export function planUserUpserts<User extends KnownUser>(
  lines: readonly UserInputRow[],
  standing: CurrentUsers<User>,
): PlannedUser<User>[] {
  const seen = new Set<string>();
  const accounts = new Map(standing.accounts);
  const administrators = standing.administrators && new Set(standing.administrators);

  const errorOf = (told: UserInput, user: User | undefined): BusinessError | undefined => {
    if (user === undefined && told.name === undefined) return invalidField('name', 'required');
    if (standing.sparesAdministrators && user?.role === 'admin') return new BusinessError('FORBIDDEN');
    const isLast = user !== undefined && administrators?.size === 1 && administrators.has(user.id);
    if (isLast && told.status === DISABLED) return invalidField('status', 'invalid');
    const owner = typeof told.account === 'string' ? accounts.get(foldCase(told.account)) : undefined;
    const isTaken = owner !== undefined && (user === undefined || owner !== user.id);
    return isTaken ? new BusinessError('ACCOUNT_TAKEN') : undefined;
  };

  return lines.map((line): PlannedUser<User> => {
    const { externalId } = line;
    const isRepeated = externalId !== null && seen.has(externalId);
    if (externalId !== null) seen.add(externalId);
    if ('refusal' in line) return { result: 'error', externalId, refusal: line.refusal };
    const { told } = line;
    const user = standing.users.get(line.externalId);
    const refusal = isRepeated ? invalidField('external_id', 'invalid') : errorOf(told, user);
    if (refusal !== undefined) return { result: 'error', externalId, user, refusal };
    if (typeof told.account === 'string') accounts.set(foldCase(told.account), user?.id ?? NEW_USER);
    if (user === undefined) {
      const { name = '', status = ENABLED } = told;
      return { result: 'created', externalId: line.externalId, told: { ...told, name, status } };
    }
    if (told.status === DISABLED) administrators?.delete(user.id);
    const result = matchesInput(user, told) ? 'unchanged' : 'updated';
    return { result, externalId: line.externalId, user, told };
  });
}

const matchesInput = (user: KnownUser, { account, name, avatar, status }: UserInput): boolean =>
  (account === undefined || account === user.account) &&
  (name === undefined || name === user.name) &&
  (avatar === undefined || avatar === user.avatar) &&
  (status === undefined || status === user.status);
