import { BusinessError, invalidField } from '../../common/errors/business-error';
import { foldCase } from '../../common/fold-case';

/* What becomes of users that a back end tells of: one after the other, in their order (contract 13.2). Pure. */

export type UpsertResult = 'created' | 'updated' | 'unchanged' | 'error';

/** 1 is enabled. */
const ENABLED = 1;
const DISABLED = 0;

/** What is told of a user; undefined stays as it is. */
export interface ToldUser {
  external_id: string;
  account?: string | null;
  name?: string;
  avatar?: string | null;
  status?: number;
}

/** One of the users told of, as far as it could be read. */
export type Line =
  { externalId: string; told: ToldUser } | { externalId: string | null; refusal: BusinessError };

/** A user who is known by its external id. */
export interface KnownUser {
  id: number;
  account: string | null;
  name: string;
  avatar: string | null;
  status: number;
  role: string;
}

/** What the database says of those told of. */
export interface Standing<User extends KnownUser> {
  /** By external id. */
  users: ReadonlyMap<string, User>;
  /** Whose the accounts are that are asked for, folded. */
  accounts: ReadonlyMap<string, number>;
  /** Those of whom one must be left; undefined where all may go. More than are told of need not be in it. */
  administrators?: ReadonlySet<number>;
  /** No administrator may be changed. */
  sparesAdministrators?: boolean;
}

/** What is to be done about one of the users told of. */
export type Step<User extends KnownUser> =
  | { result: 'created'; externalId: string; told: ToldUser & { name: string; status: number } }
  | { result: 'updated' | 'unchanged'; externalId: string; user: User; told: ToldUser }
  | { result: 'error'; externalId: string | null; user?: User; refusal: BusinessError };

/** What was done about one of the users told of. */
export interface Upserted {
  externalId: string | null;
  id: number | null;
  result: UpsertResult;
  refusal?: BusinessError;
}

/** Of nobody who has an id yet. */
const NEWCOMER = 0;

/**
 * What is to be done about each of some users, in their order. An account that somebody has when it begins is free for
 * nobody else, also where that one gives it up.
 */
export function planUpserts<User extends KnownUser>(
  lines: readonly Line[],
  standing: Standing<User>,
): Step<User>[] {
  const seen = new Set<string>();
  const accounts = new Map(standing.accounts);
  const administrators = standing.administrators && new Set(standing.administrators);

  const refusalOf = (told: ToldUser, user: User | undefined): BusinessError | undefined => {
    if (user === undefined && told.name === undefined) return invalidField('name', '字段不能为空');
    if (standing.sparesAdministrators && user?.role === 'admin') return new BusinessError('FORBIDDEN');
    const isLast = user !== undefined && administrators?.size === 1 && administrators.has(user.id);
    if (isLast && told.status === DISABLED) return invalidField('status', '取值无效');
    const holder = typeof told.account === 'string' ? accounts.get(foldCase(told.account)) : undefined;
    const isTaken = holder !== undefined && (user === undefined || holder !== user.id);
    return isTaken ? new BusinessError('ACCOUNT_TAKEN') : undefined;
  };

  return lines.map((line): Step<User> => {
    const { externalId } = line;
    const isRepeated = externalId !== null && seen.has(externalId);
    if (externalId !== null) seen.add(externalId);
    if ('refusal' in line) return { result: 'error', externalId, refusal: line.refusal };
    const { told } = line;
    const user = standing.users.get(line.externalId);
    const refusal = isRepeated ? invalidField('external_id', '取值无效') : refusalOf(told, user);
    if (refusal !== undefined) return { result: 'error', externalId, user, refusal };
    if (typeof told.account === 'string') accounts.set(foldCase(told.account), user?.id ?? NEWCOMER);
    if (user === undefined) {
      const { name = '', status = ENABLED } = told;
      return { result: 'created', externalId: line.externalId, told: { ...told, name, status } };
    }
    if (told.status === DISABLED) administrators?.delete(user.id);
    const result = isAsTold(user, told) ? 'unchanged' : 'updated';
    return { result, externalId: line.externalId, user, told };
  });
}

const isAsTold = (user: KnownUser, { account, name, avatar, status }: ToldUser): boolean =>
  (account === undefined || account === user.account) &&
  (name === undefined || name === user.name) &&
  (avatar === undefined || avatar === user.avatar) &&
  (status === undefined || status === user.status);
