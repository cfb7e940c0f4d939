import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MAX_IDEMPOTENCY_KEY } from '../../common/input/idempotency-key';
import { BigInteger, Moment } from '../columns';

/** In characters. */
export const MAX_OWNER = 64;
export const MAX_ROUTE = 128;
/** Of a SHA-256 in base64url. */
const DIGEST = 43;

/** What a request with an `Idempotency-Key` has made: written in the transaction that made it, kept for days. */
@Entity('creation_keys', { withoutRowid: true })
export class CreationKeyEntity {
  @PrimaryColumn({ type: 'varchar', length: MAX_OWNER })
  owner!: string;

  @PrimaryColumn({ type: 'varchar', length: MAX_IDEMPOTENCY_KEY })
  idempotency_key!: string;

  @PrimaryColumn({ type: 'varchar', length: MAX_ROUTE })
  route!: string;

  /** Of what the request said. */
  @Column({ type: 'varchar', length: DIGEST })
  body_hash!: string;

  /** What was made. 0 until it is, which nobody sees: the transaction is not over then. */
  @BigInteger()
  object_id!: number;

  @Index('ix_creation_keys_created')
  @Moment()
  created_at!: Date;
}
