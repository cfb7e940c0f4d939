import { InputRows, rowParser } from '../../common/bulk/input-rows';
import { countUpserts, type UpsertOutcome, type UpsertResult } from '../../common/bulk/upsert-planner';
import { IntegerOneOf, QueryOneOf, Text, Url } from '../../common/input/fields';
import { Name } from '../../common/input/name-field';
import type { MessageCatalogue } from '../../common/i18n/catalogue';
import { RequestExample } from '../../openapi/request-example.decorator';
import { MAX_ACCOUNT, MAX_AVATAR, MAX_OWN_EXTERNAL_ID } from '../entities/user.entity';
import { MAX_NAME } from '../rules/limits.rules';
import { USER_STATUSES } from './users.dto';

const MAX_USERS = 500;

/** A user to create or update. An omitted field is not changed, or gets its default for a new user. */
@RequestExample({ external_id: 'crm-1017', name: '卡萝尔', status: 1 })
export class UpsertUserRequest {
  /** The id by which the user is found or created; at most 128 characters, unique within the request. */
  @Text({ max: MAX_OWN_EXTERNAL_ID })
  external_id!: string;

  /** The login name, at most 64 characters, unique regardless of case. null removes it. */
  @Text({ max: MAX_ACCOUNT, optional: true, filled: true, nullable: true })
  account?: string | null;

  /**
   * The display name, at most 50 characters; required for a new user.
   * @example "卡萝尔"
   */
  @Name({ max: MAX_NAME, optional: true })
  name?: string;

  /** URL of a picture, http or https; null removes it. */
  @Url({ max: MAX_AVATAR, optional: true, nullable: true })
  avatar?: string | null;

  /** 1 enabled, 0 disabled. Disabling ends all sessions of the user and rejects all their tokens. */
  @IntegerOneOf(USER_STATUSES, { optional: true })
  status?: number;
}

/** Validates one user of a request. */
export const parseUserRow = rowParser({
  type: UpsertUserRequest,
  arrayField: 'users',
  keyField: 'external_id',
  maxKeyLength: MAX_OWN_EXTERNAL_ID,
});

@RequestExample({ users: [{ external_id: 'crm-1017', name: '卡萝尔', status: 1 }] })
export class UpsertUsersRequest {
  /**
   * The users to create or update, at most 500. They are processed independently: an error in one does not affect the
   * others.
   */
  @InputRows(UpsertUserRequest, MAX_USERS)
  users!: unknown[];
}

/** POST /api/admin/users/bulk (API 3.4). */
export class UpsertUsersQuery {
  /** 1: writes nothing and reports what would be done; 0 or left out: creates and updates the users. */
  @QueryOneOf([0, 1])
  dry_run?: number;
}

/** The result for one of the users. */
export class UpsertedUserResponse {
  /**
   * The index in `users`, from 0.
   * @example 0
   */
  index!: number;
  /** The external id as sent; null if it is not valid. */
  external_id!: string | null;
  /**
   * The user's id; null if no such user exists.
   * @example 3
   */
  id!: number | null;
  /**
   * `unchanged`: the stored user already had all these values.
   * @example "error"
   */
  result!: UpsertResult;
  /**
   * The message of an `error` for people; null otherwise.
   * @example "name 字段不能为空"
   */
  message!: string | null;
}

/** The results for all users. */
export class UpsertUsersResponse {
  /** One result per element of `users`, in the same order. */
  items!: UpsertedUserResponse[];
  /**
   * Number of users created.
   * @example 1
   */
  created!: number;
  /**
   * Number of users updated.
   * @example 0
   */
  updated!: number;
  /**
   * Number of users left unchanged.
   * @example 0
   */
  unchanged!: number;
  /**
   * Number of users that failed.
   * @example 0
   */
  failed!: number;
}

export const toUpsertUsersResponse = (
  upserted: readonly UpsertOutcome[],
  catalogue: MessageCatalogue,
): UpsertUsersResponse => ({
  items: upserted.map(({ key, id, result, error }, index) => ({
    index,
    external_id: key,
    id,
    result,
    message: error?.translate(catalogue) ?? null,
  })),
  ...countUpserts(upserted),
});
