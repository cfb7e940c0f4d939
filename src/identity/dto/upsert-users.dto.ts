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
import type { Words } from '../../common/words/words';
import { RequestExample } from '../../openapi/request-example.decorator';
import { MAX_ACCOUNT, MAX_AVATAR, MAX_OWN_EXTERNAL_ID } from '../entities/user.entity';
import { MAX_NAME } from '../rules/limits';
import type { Upserted, UpsertResult } from '../rules/upsert-plan';
import { STATUSES } from './users.dto';

const MAX_USERS = 500;

/** One of the users whom a back end tells of. What is left out stays as it is, or is the usual of a new one. */
@RequestExample({ external_id: 'crm-1017', name: '卡萝尔', status: 1 })
export class UpsertUserRequest {
  /** By which the user is known here, or made; at most 128 characters, and no other of this request's. */
  @Text({ max: MAX_OWN_EXTERNAL_ID })
  external_id!: string;

  /** The log-in name, at most 64 characters; no two are the same but for case. null takes it away. */
  @Text({ max: MAX_ACCOUNT, optional: true, filled: true, nullable: true })
  account?: string | null;

  /**
   * The name to show, at most 50 characters; a new user must have one.
   * @example "卡萝尔"
   */
  @Name({ max: MAX_NAME, optional: true })
  name?: string;

  /** URL of a picture, http or https; null takes it away. */
  @Url({ max: MAX_AVATAR, optional: true, nullable: true })
  avatar?: string | null;

  /** 1 enabled, 0 disabled: all sessions end, and no token of the user is accepted. */
  @IntegerOneOf(STATUSES, { optional: true })
  status?: number;
}

/** An array whose elements are looked at one by one, and fail alone. */
const Users = (): PropertyDecorator =>
  field({
    read: nullAsOmitted,
    check: (value) => {
      if (!Array.isArray(value)) return NOT_AN_ARRAY;
      if (value.length === 0) return EMPTY;
      return value.length > MAX_USERS ? (words) => words.tooMany(MAX_USERS) : undefined;
    },
    schema: { type: [UpsertUserRequest], maxItems: MAX_USERS },
  });

@RequestExample({ users: [{ external_id: 'crm-1017', name: '卡萝尔', status: 1 }] })
export class UpsertUsersRequest {
  /** Whom to make or change, at most 500. Each stands alone: what is wrong with one keeps no other from being done. */
  @Users()
  users!: unknown[];
}

/** What has become of one of the users told of. */
export class UpsertedUserResponse {
  /**
   * Where in `users` it stands, from 0.
   * @example 0
   */
  index!: number;
  /** As it was sent; null where it could not be one. */
  external_id!: string | null;
  /**
   * The user's id; null where there is none.
   * @example 3
   */
  id!: number | null;
  /**
   * `unchanged`: all of it was so already.
   * @example "error"
   */
  result!: UpsertResult;
  /**
   * Of an `error`, what is wrong, for people; null otherwise.
   * @example "name 字段不能为空"
   */
  message!: string | null;
}

/** What has become of the users told of. */
export class UpsertUsersResponse {
  /** One for each of `users`, in their order. */
  items!: UpsertedUserResponse[];
  /**
   * How many were made.
   * @example 1
   */
  created!: number;
  /**
   * How many were changed.
   * @example 0
   */
  updated!: number;
  /**
   * How many were so already.
   * @example 0
   */
  unchanged!: number;
  /**
   * How many failed.
   * @example 0
   */
  failed!: number;
}

export function toUpsertUsersResponse(upserted: readonly Upserted[], words: Words): UpsertUsersResponse {
  const count = (wanted: UpsertResult): number =>
    upserted.reduce((sum, { result }) => sum + (result === wanted ? 1 : 0), 0);
  return {
    items: upserted.map(({ externalId, id, result, refusal }, index) => ({
      index,
      external_id: externalId,
      id,
      result,
      message: refusal?.textIn(words) ?? null,
    })),
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('error'),
  };
}
