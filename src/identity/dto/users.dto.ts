import { ROLES, type Role } from '../../common/auth/principal';
import { EXPORT_FORMATS, type ExportFormat } from '../../common/export/row-export';
import type { PageRequest } from '../../common/http/page';
import {
  Ids,
  Integer,
  IntegerOneOf,
  OneOf,
  PageNumber,
  PerPage,
  QueryOneOf,
  SortBy,
  Text,
  Url,
} from '../../common/input/fields';
import { Name } from '../../common/input/name-field';
import { MomentOrDay } from '../../common/input/moment-fields';
import {
  MAX_ACCOUNT,
  MAX_AVATAR,
  MAX_OWN_EXTERNAL_ID,
  USER_DISABLED,
  USER_ENABLED,
} from '../entities/user.entity';
import { MAX_NAME } from '../rules/limits.rules';
import { MAX_PASSWORD, MIN_PASSWORD } from './auth.dto';

export const USER_STATUSES = [USER_ENABLED, USER_DISABLED];
const MAX_KEYWORD = 100;

/** Filters of the user list (API 3.2). */
export class SearchUsersQuery {
  /**
   * Part of the account or the name, case-insensitive; at most 100 characters.
   * @example "ali"
   */
  @Text({ max: MAX_KEYWORD, optional: true })
  keyword?: string;

  /** Only the user with exactly this external id (compared byte by byte). */
  @Text({ max: MAX_OWN_EXTERNAL_ID, optional: true })
  external_id?: string;

  /** Only users with this role. */
  @OneOf(ROLES, { optional: true })
  role?: Role;

  /** Only users with this status: 1 enabled, 0 disabled. */
  @QueryOneOf(USER_STATUSES)
  status?: number;

  /** 1: only users who are online; 0 or omitted: all. */
  @QueryOneOf([0, 1])
  online?: number;

  /** Only users created at or after this time: a timestamp, or a day of `APP_TIMEZONE`. */
  @MomentOrDay()
  from?: string;

  /** Only users created before this timestamp, or up to the end of this day. */
  @MomentOrDay()
  to?: string;
}

/** GET /api/admin/users (API 3.2). */
export class ListUsersQuery extends SearchUsersQuery implements PageRequest {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /**
   * The sort field, descending with a leading `-`; default: `id`. `-last_seen_at`: users who are online first, then the
   * others, most recently seen first.
   */
  @SortBy(['id', 'account', 'created_at', 'last_seen_at'])
  sort?: string;
}

/** GET /api/admin/users/export. */
export class ExportUsersQuery extends SearchUsersQuery {
  /** The file format: JSON lines, or CSV for spreadsheets. */
  @OneOf(EXPORT_FORMATS, { default: 'ndjson' })
  format!: ExportFormat;
}

export class CreateUserRequest {
  /**
   * The login name, at most 64 characters, unique regardless of case.
   * @example "carol"
   */
  @Text({ max: MAX_ACCOUNT })
  account!: string;

  /**
   * 8 to 128 characters. Required from administrators; not allowed with an API key, and the user then cannot log in.
   * @example "callboard-demo"
   */
  @Text({
    min: MIN_PASSWORD,
    max: MAX_PASSWORD,
    optional: (dto) => dto instanceof CreateUserByKeyRequest,
    filled: true,
  })
  password?: string;

  /**
   * The display name, at most 50 characters.
   * @example "卡萝尔"
   */
  @Name({ max: MAX_NAME })
  name!: string;

  /** URL of a picture, http or https; null for none. */
  @Url({ max: MAX_AVATAR, optional: true, nullable: true })
  avatar?: string | null;

  /** The role of the user. */
  @OneOf(ROLES, { default: 'user' })
  role!: Role;

  /** The id of the user in the operator's backend, at most 128 characters, unique. */
  @Text({ max: MAX_OWN_EXTERNAL_ID, optional: true })
  external_id?: string;
}

/** The body with an API key: the same without the password. */
export class CreateUserByKeyRequest extends CreateUserRequest {}

/** Only the fields that are sent are changed. */
export class ChangeUserRequest {
  /** The login name, at most 64 characters, unique regardless of case. */
  @Text({ max: MAX_ACCOUNT, optional: true, filled: true })
  account?: string;

  @Name({ max: MAX_NAME, optional: true })
  name?: string;

  /** URL of a picture, http or https; null removes it. */
  @Url({ max: MAX_AVATAR, optional: true, nullable: true })
  avatar?: string | null;

  /** Takes effect at the user's next login or token refresh. */
  @OneOf(ROLES, { optional: true })
  role?: Role;

  /** 1 enabled, 0 disabled. Disabling ends all sessions of the user and rejects all their tokens. */
  @IntegerOneOf(USER_STATUSES, { optional: true })
  status?: number;

  /** The id of the user in the operator's backend, at most 128 characters; null removes it. */
  @Text({ max: MAX_OWN_EXTERNAL_ID, optional: true, filled: true, nullable: true })
  external_id?: string | null;
}

/** The same change for all users that match; `status` or `role` is required (API 3.5). */
export class ChangeMatchingUsersRequest {
  /** Only users with a greater id: the `next_after_id` of the previous response. Default: from the first user. */
  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 })
  after_id!: number;

  /** 1 enabled, 0 disabled. Disabling ends all their sessions. */
  @IntegerOneOf(USER_STATUSES, { optional: true })
  status?: number;

  /** Takes effect at each user's next login or token refresh. */
  @OneOf(ROLES, { optional: true })
  role?: Role;
}

/** The same change for several users; `status` or `role` is required. */
export class ChangeUsersRequest {
  @Ids()
  user_ids!: number[];

  /** 1 enabled, 0 disabled. Disabling ends all their sessions. */
  @IntegerOneOf(USER_STATUSES, { optional: true })
  status?: number;

  /** Takes effect at each user's next login or token refresh. */
  @OneOf(ROLES, { optional: true })
  role?: Role;
}

export class SetPasswordRequest {
  @Text({ min: MIN_PASSWORD, max: MAX_PASSWORD })
  password!: string;
}
