import { ROLES, type Role } from '../../common/auth/principal';
import { EXPORT_FORMATS, type ExportFormat } from '../../common/export/row-export';
import type { PageRequest } from '../../common/http/page';
import {
  Ids,
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
import { MAX_NAME } from '../rules/limits';
import { MAX_PASSWORD, MIN_PASSWORD } from './auth.dto';

export const STATUSES = [USER_ENABLED, USER_DISABLED];
const MAX_KEYWORD = 100;

/** Which users are wanted (contract 14.3). */
export class SearchUsersQuery {
  /**
   * Part of the account or the name, without regard to case; at most 100 characters.
   * @example "ali"
   */
  @Text({ max: MAX_KEYWORD, optional: true })
  keyword?: string;

  /** Only the user with this external id, to the byte. */
  @Text({ max: MAX_OWN_EXTERNAL_ID, optional: true })
  external_id?: string;

  /** Only the users of this role. */
  @OneOf(ROLES, { optional: true })
  role?: Role;

  /** 1 enabled, 0 disabled. */
  @QueryOneOf(STATUSES)
  status?: number;

  /** 1: only the users who are there; 0, or left out: all. */
  @QueryOneOf([0, 1])
  online?: number;

  /** Only the users created then or later: a moment, or a day of `APP_TIMEZONE`. */
  @MomentOrDay()
  from?: string;

  /** Only the users created before this moment, or up to the end of this day. */
  @MomentOrDay()
  to?: string;
}

/** GET /api/admin/users (contract 14.3). */
export class ListUsersQuery extends SearchUsersQuery implements PageRequest {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /**
   * By which field, downwards with `-` before it; by id when left out. `-last_seen_at`: those who are there, then those who
   * were, the last one first.
   */
  @SortBy(['id', 'account', 'created_at', 'last_seen_at'])
  sort?: string;
}

/** GET /api/admin/users/export. */
export class ExportUsersQuery extends SearchUsersQuery {
  /** What a line is: JSON, or CSV for spreadsheets. */
  @OneOf(EXPORT_FORMATS, { default: 'ndjson' })
  format!: ExportFormat;
}

export class CreateUserRequest {
  /**
   * The log-in name, at most 64 characters; no two are the same but for case.
   * @example "carol"
   */
  @Text({ max: MAX_ACCOUNT })
  account!: string;

  /**
   * 8 to 128 characters; required of people. A key must leave it out: the user then cannot log in.
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
   * The name to show, at most 50 characters.
   * @example "卡萝尔"
   */
  @Name({ max: MAX_NAME })
  name!: string;

  /** URL of a picture, http or https; null for none. */
  @Url({ max: MAX_AVATAR, optional: true, nullable: true })
  avatar?: string | null;

  /** What the user may do. */
  @OneOf(ROLES, { default: 'user' })
  role!: Role;

  /** The id by which a back end of the operator's knows the user, at most 128 characters; no two are the same. */
  @Text({ max: MAX_OWN_EXTERNAL_ID, optional: true })
  external_id?: string;
}

/** What a key makes a user of: the same, but for the password. */
export class CreateUserByKeyRequest extends CreateUserRequest {}

/** Only what is sent changes. */
export class ChangeUserRequest {
  /** The log-in name, at most 64 characters; no two are the same but for case. */
  @Text({ max: MAX_ACCOUNT, optional: true, filled: true })
  account?: string;

  @Name({ max: MAX_NAME, optional: true })
  name?: string;

  /** URL of a picture, http or https; null takes it away. */
  @Url({ max: MAX_AVATAR, optional: true, nullable: true })
  avatar?: string | null;

  /** Counts from the user's next log-in or refresh on. */
  @OneOf(ROLES, { optional: true })
  role?: Role;

  /** 1 enabled, 0 disabled: all sessions end, and no token of the user is accepted. */
  @IntegerOneOf(STATUSES, { optional: true })
  status?: number;

  /** The id by which a back end of the operator's knows the user, at most 128 characters; null takes it away. */
  @Text({ max: MAX_OWN_EXTERNAL_ID, optional: true, filled: true, nullable: true })
  external_id?: string | null;
}

/** One change to several users; `status` or `role` is required. */
export class ChangeUsersRequest {
  @Ids()
  user_ids!: number[];

  /** 1 enabled, 0 disabled: all their sessions end. */
  @IntegerOneOf(STATUSES, { optional: true })
  status?: number;

  /** Counts from each user's next log-in or refresh on. */
  @OneOf(ROLES, { optional: true })
  role?: Role;
}

export class SetPasswordRequest {
  @Text({ min: MIN_PASSWORD, max: MAX_PASSWORD })
  password!: string;
}
