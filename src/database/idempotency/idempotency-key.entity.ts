import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MAX_IDEMPOTENCY_KEY } from '../../common/input/idempotency-key';
import { BigInteger, TimestampColumn } from '../columns';

/** Length of a SHA-256 digest in base64url. */
const DIGEST_LENGTH = 43;

/**
 * Result of a request with an `Idempotency-Key`. Written in the transaction that creates the object.
 * `IdempotencyRetention` deletes it after seven days.
 */
@Entity('creation_keys', { withoutRowid: true })
export class IdempotencyKeyEntity {
  @PrimaryColumn({ type: 'varchar', length: 64 })
  owner!: string;

  @PrimaryColumn({ type: 'varchar', length: MAX_IDEMPOTENCY_KEY })
  idempotency_key!: string;

  @PrimaryColumn({ type: 'varchar', length: 128 })
  route!: string;

  /** `bodyHash` of the request's body. */
  @Column({ type: 'varchar', length: DIGEST_LENGTH })
  body_hash!: string;

  /** Id of the created object. 0 until it is created, which no other transaction sees: the row is not committed yet. */
  @BigInteger()
  object_id!: number;

  @Index('ix_creation_keys_created')
  @TimestampColumn()
  created_at!: Date;
}
