import { SCOPES, type Scope } from '../../common/auth/api-keys/scopes';
import {
  EMPTY,
  field,
  type FieldOptions,
  Flag,
  Integer,
  INVALID,
  NOT_AN_ARRAY,
  PageNumber,
  PerPage,
} from '../../common/input/fields';
import { Name } from '../../common/input/name-field';
import { Timestamp } from '../../common/input/moment-fields';
import { Moment } from '../../openapi/response-fields';
import { MAX_KEY_NAME } from '../entities/api-key.entity';

const MAX_RATE = 100_000;

const isScope = (value: unknown): boolean => SCOPES.some((scope) => scope === value);

/** Some of the scopes, at least one; duplicates collapse. */
const Scopes = (options: FieldOptions = {}): PropertyDecorator =>
  field({
    ...options,
    read: (value) => (Array.isArray(value) ? [...new Set<unknown>(value)] : (value ?? undefined)),
    check: (value) => {
      if (!Array.isArray(value)) return NOT_AN_ARRAY;
      if (value.length === 0) return EMPTY;
      return value.every(isScope) ? undefined : INVALID;
    },
    schema: { type: 'array', items: { type: 'string', enum: [...SCOPES] }, minItems: 1 },
  });

export class ListKeysQuery {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;
}

export class CreateKeyRequest {
  /**
   * What people call it, at most 100 characters.
   * @example "CRM"
   */
  @Name({ max: MAX_KEY_NAME })
  name!: string;

  /**
   * What it opens, at least one; `:write` includes `:read`.
   * @example ["users:read", "messages:send-as"]
   */
  @Scopes()
  scopes!: Scope[];

  /**
   * When it ends, in the future; null or left out: never.
   * @example "2100-01-01T00:00:00.000Z"
   */
  @Timestamp({ optional: true, nullable: true })
  expires_at?: Date | null;

  /**
   * How many requests it may send a minute; `API_KEY_RATE_PER_MINUTE` when left out.
   * @example 3000
   */
  @Integer({ min: 1, max: MAX_RATE, optional: true })
  rate_per_minute?: number;
}

/** Only what is sent changes. */
export class ChangeKeyRequest {
  /**
   * What people call it, at most 100 characters.
   * @example "CRM"
   */
  @Name({ max: MAX_KEY_NAME, optional: true })
  name?: string;

  /**
   * What it opens, at least one; `:write` includes `:read`.
   * @example ["users:read"]
   */
  @Scopes({ optional: true })
  scopes?: Scope[];

  /**
   * When it ends, in the future; null: never.
   * @example "2100-01-01T00:00:00.000Z"
   */
  @Timestamp({ optional: true, nullable: true })
  expires_at?: Date | null;

  /**
   * How many requests it may send a minute.
   * @example 3000
   */
  @Integer({ min: 1, max: MAX_RATE, optional: true })
  rate_per_minute?: number;
}

/** DELETE /api/admin/keys/{id}; the body may be left out (contract 13). */
export class RevokeKeyRequest {
  /** Whether the sessions that the key opened by `tokens:issue` end with it. */
  @Flag({ default: true })
  end_sessions!: boolean;
}

/** Who made a key. */
export class KeyMakerResponse {
  /**
   * The administrator's user id.
   * @example 1
   */
  id!: number;
  /**
   * The administrator's name as it is now.
   * @example "管理员"
   */
  name!: string;
}

/** A key of a back end, without what must be kept secret. */
export class ApiKeyResponse {
  id!: number;
  /**
   * What people call it.
   * @example "CRM"
   */
  name!: string;
  /**
   * What it opens; `:write` includes `:read`.
   * @example ["users:read"]
   */
  scopes!: Scope[];
  /** When it ends; null: never. */
  @Moment()
  expires_at!: Date | null;
  /**
   * How many requests it may send a minute.
   * @example 3000
   */
  rate_per_minute!: number;
  /**
   * How it begins, by which to recognise it.
   * @example "cbk_k3v9x2ma"
   */
  prefix!: string;
  /** When it was used last, within a minute; null: never. */
  @Moment()
  last_used_at!: Date | null;
  /** Who made it. */
  created_by!: KeyMakerResponse;
  @Moment()
  created_at!: Date;
}

/** A key that has just been made. */
export class CreatedApiKeyResponse extends ApiKeyResponse {
  /**
   * The key itself, for `Authorization: Bearer …`: shown this once and never again: null when the request is repeated.
   * @example "cbk_k3v9x2ma_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
   */
  key!: string | null;
}
