import { Column, Entity, Index } from 'typeorm';
import type { Scope } from '../../common/auth/api-keys/scopes';
import { BigInteger, GeneratedId, Moment } from '../../database/columns';

/** Of a name, in characters (contract 13). */
export const MAX_KEY_NAME = 100;

/** A key of a back end. One that is revoked has no row any more. */
@Entity('api_keys')
export class ApiKeyEntity {
  @GeneratedId()
  id!: number;

  @Column({ type: 'varchar', length: MAX_KEY_NAME })
  name!: string;

  /** The part of the key by which people recognise it. */
  @Column({ type: 'varchar', length: 8 })
  prefix!: string;

  /** SHA-256 of the whole key, base64url: all that is kept of it. */
  @Index('uq_api_keys_hash', { unique: true })
  @Column({ type: 'varchar', length: 43 })
  hash!: string;

  /** In the order of `SCOPES`. */
  @Column({ type: 'varchar', length: 500, transformer: { to: asText, from: asScopes } })
  scopes!: Scope[];

  @Column({ type: 'int' })
  rate_per_minute!: number;

  /** From when on it is not let in; null: it does not expire. */
  @Moment({ nullable: true })
  expires_at!: Date | null;

  /** Written now and then, not with each request. */
  @Moment({ nullable: true })
  last_used_at!: Date | null;

  /** The administrator who made it. */
  @BigInteger()
  created_by!: number;

  @Moment()
  created_at!: Date;
}

function asText(scopes: Scope[] | undefined): string | undefined {
  return scopes?.join(' ');
}

function asScopes(text: string): Scope[] {
  return text.split(' ') as Scope[];
}
