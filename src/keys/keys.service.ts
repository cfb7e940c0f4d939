import { Inject, Injectable } from '@nestjs/common';
import { recordAudit } from '../audit/recording/record-audit';
import { SCOPES, type Scope } from '../common/auth/api-keys/scopes';
import type { Principal } from '../common/auth/principal';
import { Clock } from '../common/clock';
import { invalidField } from '../common/errors/business-error';
import { sentFields } from '../common/input/sent-fields';
import { CONFIG, type Config } from '../config/config';
import type { IdempotencyRecord } from '../database/idempotency/idempotency-record';
import { type RunInTransaction, Transactions } from '../database/transactions';
import type {
  ApiKeyResponse,
  ChangeKeyRequest,
  CreatedApiKeyResponse,
  CreateKeyRequest,
} from './dto/keys.dto';
import type { ApiKeyEntity } from './entities/api-key.entity';
import { KeyViews } from './key-views';
import { ApiKeyCache } from './api-key-cache';
import { insertKey, lockKey, updateKey } from './keys.store';
import { hashOfKey, newKey } from './rules/key-text.rules';

/** Creates and changes API keys (API 4.1). */
@Injectable()
export class KeysService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly cache: ApiKeyCache,
    private readonly views: KeyViews,
  ) {}

  /**
   * Creates an API key, at most once per `Idempotency-Key`. Only the first response contains the key itself.
   * @throws {BusinessError} VALIDATION for an expiry in the past; REQUEST_ID_REUSED; KEY_NOT_FOUND if the key that an
   *   earlier request created was revoked
   */
  create(
    creator: Principal,
    body: CreateKeyRequest,
    idempotency?: IdempotencyRecord,
  ): Promise<CreatedApiKeyResponse> {
    return this.transactions.runIdempotent<CreatedApiKeyResponse>(idempotency, body, {
      create: (run) => this.#insert(run, creator, body),
      replay: async (id) => Object.assign(await this.views.find(id), { key: null }),
    });
  }

  async #insert(
    run: RunInTransaction,
    creator: Principal,
    body: CreateKeyRequest,
  ): Promise<CreatedApiKeyResponse> {
    const { name, scopes, expires_at = null, rate_per_minute = this.config.apiKeyRatePerMinute } = body;
    this.#requireFuture(expires_at);
    const { text, prefix } = newKey();
    const row = {
      name,
      prefix,
      hash: hashOfKey(text),
      scopes: sorted(scopes),
      rate_per_minute,
      expires_at,
      last_used_at: null,
      created_by: creator.id,
      created_at: this.clock.now(),
    };
    const { id } = await run(async (em) => {
      const created = { id: await insertKey(em, row) };
      recordAudit(em, { object_id: created.id, before: null, after: auditedFields(row) });
      return created;
    });
    return Object.assign(await this.views.of({ id, ...row }), { key: text });
  }

  /**
   * Changes the fields that are sent. Takes effect on this instance immediately, on other instances within ten seconds.
   * @throws {BusinessError} KEY_NOT_FOUND; VALIDATION for an expiry in the past
   */
  async change(id: number, { scopes, ...fields }: ChangeKeyRequest): Promise<ApiKeyResponse> {
    this.#requireFuture(fields.expires_at);
    const changes = sentFields({ ...fields, scopes: scopes && sorted(scopes) });
    const changed = await this.transactions.run(async (em) => {
      const key = await lockKey(em, id);
      if (Object.keys(changes).length === 0) return key;
      await updateKey(em, id, changes);
      const before = auditedFields(key);
      Object.assign(key, changes);
      recordAudit(em, { object_id: id, before, after: auditedFields(key) });
      return key;
    });
    this.cache.invalidate();
    return this.views.of(changed);
  }

  #requireFuture(end: Date | null | undefined): void {
    if (end && end <= this.clock.now()) throw invalidField('expires_at', 'invalid');
  }
}

type KeyFields = Pick<ApiKeyEntity, 'name' | 'prefix' | 'scopes' | 'rate_per_minute' | 'expires_at'>;

/** Returns the fields of an API key for the audit log. */
export const auditedFields = ({
  name,
  prefix,
  scopes,
  rate_per_minute,
  expires_at,
}: KeyFields): KeyFields => ({
  name,
  prefix,
  scopes,
  rate_per_minute,
  expires_at,
});

const sorted = (scopes: readonly Scope[]): Scope[] => SCOPES.filter((scope) => scopes.includes(scope));
