import { Column, Entity, Index } from 'typeorm';
import type { Scope } from '../../common/auth/api-keys/scopes';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';

/** Maximum length of a name, in characters (API 4.1). */
export const MAX_KEY_NAME = 100;

/** An API key of a backend. Revoking a key deletes its row. */
@Entity('api_keys')
export class ApiKeyEntity {
  @GeneratedId()
  id!: number;

  @Column({ type: 'varchar', length: MAX_KEY_NAME })
  name!: string;

  /** The part of the key that is shown, so that people can recognise it. */
  @Column({ type: 'varchar', length: 8 })
  prefix!: string;

  /** SHA-256 of the whole key, base64url. The key itself is not stored. */
  @Index('uq_api_keys_hash', { unique: true })
  @Column({ type: 'varchar', length: 43 })
  hash!: string;

  /** Sorted in the order of `SCOPES`. */
  @Column({ type: 'varchar', length: 500, transformer: { to: asText, from: asScopes } })
  scopes!: Scope[];

  @Column({ type: 'int' })
  rate_per_minute!: number;

  /** From this time on the key is rejected; null: it does not expire. */
  @TimestampColumn({ nullable: true })
  expires_at!: Date | null;

  /** Written every 30 s, not with each request. */
  @TimestampColumn({ nullable: true })
  last_used_at!: Date | null;

  /** The administrator who created the key. */
  @BigInteger()
  created_by!: number;

  @TimestampColumn()
  created_at!: Date;
}

function asText(scopes: Scope[] | undefined): string | undefined {
  return scopes?.join(' ');
}

function asScopes(text: string): Scope[] {
  return text.split(' ') as Scope[];
}
