import {
  EMPTY,
  field,
  IntegerOneOf,
  NOT_AN_ARRAY,
  nullAsOmitted,
  Text,
  Url,
} from '../../common/input/fields';
import { Name } from '../../common/input/name-field';
import type { MessageCatalogue } from '../../common/i18n/catalogue';
import { RequestExample } from '../../openapi/request-example.decorator';
import { MAX_ACCOUNT, MAX_AVATAR, MAX_OWN_EXTERNAL_ID } from '../entities/user.entity';
import { MAX_NAME } from '../rules/limits';
import type { UserUpsertOutcome, UserUpsertResult } from '../rules/upsert-plan';
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

/** An array whose elements are validated later, one by one, and fail independently of each other. */
const Users = (): PropertyDecorator =>
  field({
    read: nullAsOmitted,
    check: (value) => {
      if (!Array.isArray(value)) return NOT_AN_ARRAY;
      if (value.length === 0) return EMPTY;
      return value.length > MAX_USERS ? (catalogue) => catalogue.tooMany(MAX_USERS) : undefined;
    },
    schema: { type: [UpsertUserRequest], maxItems: MAX_USERS },
  });

@RequestExample({ users: [{ external_id: 'crm-1017', name: '卡萝尔', status: 1 }] })
export class UpsertUsersRequest {
  /**
   * The users to create or update, at most 500. They are processed independently: an error in one does not affect the
   * others.
   */
  @Users()
  users!: unknown[];
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
  result!: UserUpsertResult;
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

export function toUpsertUsersResponse(
  upserted: readonly UserUpsertOutcome[],
  catalogue: MessageCatalogue,
): UpsertUsersResponse {
  const count = (expected: UserUpsertResult): number =>
    upserted.reduce((sum, { result }) => sum + (result === expected ? 1 : 0), 0);
  return {
    items: upserted.map(({ externalId, id, result, refusal }, index) => ({
      index,
      external_id: externalId,
      id,
      result,
      message: refusal?.textIn(catalogue) ?? null,
    })),
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('error'),
  };
}
