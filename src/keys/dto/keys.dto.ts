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
import { TimestampField } from '../../openapi/response-fields';
import { MAX_KEY_NAME } from '../entities/api-key.entity';

const MAX_RATE = 100_000;

const isScope = (value: unknown): boolean => SCOPES.some((scope) => scope === value);

/** At least one of the scopes; duplicates are removed. */
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
   * A name for people, at most 100 characters.
   * @example "CRM"
   */
  @Name({ max: MAX_KEY_NAME })
  name!: string;

  /**
   * The granted scopes, at least one; `:write` includes `:read`.
   * @example ["users:read", "messages:send-as"]
   */
  @Scopes()
  scopes!: Scope[];

  /**
   * When the key expires, in the future; null or omitted: never.
   * @example "2100-01-01T00:00:00.000Z"
   */
  @Timestamp({ optional: true, nullable: true })
  expires_at?: Date | null;

  /**
   * Maximum number of requests per minute; default: `API_KEY_RATE_PER_MINUTE`.
   * @example 3000
   */
  @Integer({ min: 1, max: MAX_RATE, optional: true })
  rate_per_minute?: number;
}

/** Only the fields that are sent are changed. */
export class ChangeKeyRequest {
  /**
   * A name for people, at most 100 characters.
   * @example "CRM"
   */
  @Name({ max: MAX_KEY_NAME, optional: true })
  name?: string;

  /**
   * The granted scopes, at least one; `:write` includes `:read`.
   * @example ["users:read"]
   */
  @Scopes({ optional: true })
  scopes?: Scope[];

  /**
   * When the key expires, in the future; null: never.
   * @example "2100-01-01T00:00:00.000Z"
   */
  @Timestamp({ optional: true, nullable: true })
  expires_at?: Date | null;

  /**
   * Maximum number of requests per minute.
   * @example 3000
   */
  @Integer({ min: 1, max: MAX_RATE, optional: true })
  rate_per_minute?: number;
}

/** Body of `DELETE /api/admin/keys/{id}`, which may be omitted (API 4.1). */
export class RevokeKeyRequest {
  /** Whether to end the sessions that the key opened with `tokens:issue`. */
  @Flag({ default: true })
  end_sessions!: boolean;
}

/** The administrator who created a key. */
export class KeyMakerResponse {
  /**
   * The administrator's user id.
   * @example 1
   */
  id!: number;
  /**
   * The administrator's current name.
   * @example "管理员"
   */
  name!: string;
}

/** An API key of a backend, without its secret. */
export class ApiKeyResponse {
  id!: number;
  /**
   * A name for people.
   * @example "CRM"
   */
  name!: string;
  /**
   * The granted scopes; `:write` includes `:read`.
   * @example ["users:read"]
   */
  scopes!: Scope[];
  /** When the key expires; null: never. */
  @TimestampField()
  expires_at!: Date | null;
  /**
   * Maximum number of requests per minute.
   * @example 3000
   */
  rate_per_minute!: number;
  /**
   * The first characters of the key, to recognise it.
   * @example "cbk_k3v9x2ma"
   */
  prefix!: string;
  /** When the key was last used, accurate to a minute; null: never. */
  @TimestampField()
  last_used_at!: Date | null;
  /** The administrator who created the key. */
  created_by!: KeyMakerResponse;
  @TimestampField()
  created_at!: Date;
}

/** A newly created API key. */
export class CreatedApiKeyResponse extends ApiKeyResponse {
  /**
   * The key itself, for `Authorization: Bearer …`. Returned only once: null when the request is repeated.
   * @example "cbk_k3v9x2ma_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
   */
  key!: string | null;
}
